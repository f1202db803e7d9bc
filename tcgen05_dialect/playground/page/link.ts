// Links: the state of the editor in the fragment of the address, compressed.

export interface State {
  text: string;
  launch: string;
}

async function through(data: Uint8Array<ArrayBuffer>, transform: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([data]).stream().pipeThrough(transform as ReadableWritablePair);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function encoded(state: State): Promise<string> {
  const data = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(data, new CompressionStream("deflate-raw"));
  const text = Array.from(packed, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The state of a fragment; null if it has none. */
export async function decoded(fragment: string): Promise<State | null> {
  try {
    const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const data = await through(packed, new DecompressionStream("deflate-raw"));
    const found = JSON.parse(new TextDecoder().decode(data));
    return typeof found.text === "string" ? { text: found.text, launch: String(found.launch ?? "") } : null;
  } catch {
    return null;
  }
}
