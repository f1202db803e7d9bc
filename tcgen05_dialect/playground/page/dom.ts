// Elements of the page.

type Child = Node | string | null | undefined | false;

/** A new element with properties and children; a property `class` sets the classes. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<Omit<HTMLElementTagNameMap[K], "style">> & { class?: string } = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { class: classes, ...rest } = properties;
  if (classes) element.className = classes;
  Object.assign(element, rest);
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** The element of the page with this id. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** A button that looks like a link in a text. */
export function link(text: string, action: () => void): HTMLButtonElement {
  return make("button", { class: "link", type: "button", textContent: text, onclick: action });
}

/** Let the tabs of a list show their panels; returns a function that shows one. */
export function tabs(list: Element, shown: (panel: string) => void): (panel: string) => void {
  const buttons = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const panelOf = (button: HTMLElement) => button.getAttribute("aria-controls")!;
  const show = (panel: string) => {
    for (const button of buttons) {
      const chosen = panelOf(button) === panel;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      find(panelOf(button)).hidden = !chosen;
    }
    shown(panel);
  };
  buttons.forEach((button, index) => {
    button.tabIndex = index ? -1 : 0;
    button.onclick = () => show(panelOf(button));
    button.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step) return;
      const next = buttons[(index + step + buttons.length) % buttons.length]!;
      next.focus();
      show(panelOf(next));
    };
  });
  return show;
}
