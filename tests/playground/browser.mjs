// Drives the playground in a browser as a user would; test_page.py starts it.
//
//     node browser.mjs MODULES BROWSER PROGRAM BACKEND ADDRESS
//
// Prints a line of JSON with milliseconds, or fails with what it waited for.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, name, executablePath, backend, address] = process.argv.slice(2);
const found = createRequire(`${modules}/`).resolve("puppeteer-core");
const { default: puppeteer } = await import(pathToFileURL(found).href);
const CHROMIUM = [
  ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];
const browser = await puppeteer.launch({
  browser: name === "firefox" ? "firefox" : "chrome",
  executablePath,
  args: name === "firefox" ? [] : CHROMIUM,
});
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
await page.setViewport({ width: 1280, height: 800 });
const complaints = [];
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("requestfailed", (request) => {
  // The page gives up a request when the text changes.
  const { errorText } = request.failure();
  if (!errorText.includes("ABORT")) complaints.push(`${errorText}: ${request.url()}`);
});
const outside = [];
page.on("request", (request) => {
  const { protocol, host } = new URL(request.url());
  if (protocol.startsWith("http") && host !== new URL(address).host) outside.push(request.url());
});

const text = (selector) => page.$eval(selector, (element) => element.textContent);
/** Wait until an element has a text. */
const has = (selector, wanted) =>
  page.waitForFunction(
    (where, what) => [...document.querySelectorAll(where)].some((each) => each.textContent.includes(what)),
    {},
    selector,
    wanted,
  );
const times = {};
const timed = async (what, action) => {
  const start = performance.now();
  await action();
  times[what] = Math.round(performance.now() - start);
};
/** Choose an example of the menu by its title. */
const choose = async (title) => {
  const value = await page.$$eval("#examples option", (all, wanted) => all.find((each) => each.textContent === wanted)?.value, title);
  assert.ok(value, title);
  await page.select("#examples", value);
};
/** Ask a question of the calculator by its name. */
const ask = (name) => page.$$eval(".chip", (all, wanted) => all.find((each) => each.textContent === wanted).click(), name);
const SOUND = backend === "serve" ? ".verdict.good" : ".verdict.open";

try {
  await timed("first result", async () => {
    await page.goto(address);
    await page.waitForSelector(backend === "serve" ? ".verdict" : SOUND);
    await page.waitForSelector(SOUND);
  });

  // An error is typed, seen and taken back.
  await page.click("#kernel .cm-content");
  await page.keyboard.down("Control");
  await page.keyboard.press("End");
  await page.keyboard.up("Control");
  await timed("error", async () => {
    await page.keyboard.type("\nwrong");
    await page.waitForSelector("#kernel .cm-lintRange-error");
    await has(".finding.error", "wrong");
  });
  assert.equal(await text("#count"), "1");
  await timed("fixed", async () => {
    for (const _ of "\nwrong") await page.keyboard.press("Backspace");
    await page.waitForSelector(SOUND);
  });
  assert.equal(await page.$("#kernel .cm-lintRange-error"), null);

  // PTX is linked with its source in both directions.
  await page.click("#tab-ptx");
  await has("#ptx .cm-content", ".entry gemm");
  await page.click("#kernel .cm-content");
  const line = await page.$$eval("#kernel .cm-line", (all) => all.findIndex((each) => each.textContent.includes("ws.mma")));
  assert.ok(line >= 0);
  await (await page.$$("#kernel .cm-line"))[line].click();
  await has("#ptx .cm-linked", "tcgen05.mma");
  await (await page.$("#ptx .cm-linked")).click();
  await has("#kernel .cm-linked", "ws.mma");

  // A picture and the text of a rule.
  await page.click("#tab-calculator");
  await timed("picture", async () => {
    await ask("Accumulator in tensor memory");
    await page.waitForFunction(() => document.querySelector(".answer img")?.naturalWidth > 0);
  });
  await ask("Launch of the kernel");
  await has(".answer", backend === "serve" ? "ceildiv(m, 128)" : "run tcgen05 serve");
  await page.click("#tab-rule");
  await has(".rules li", "T5-WS-001");

  // A link opens the same text in another page.
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 100);
  const other = await browser.newPage();
  await other.goto(page.url());
  await other.waitForFunction(() => document.querySelector("#kernel").textContent.includes("ws.warp_specialize"));
  await other.close();

  await page.click("#tab-findings");
  await choose("A role does not load B");
  await has(".finding.error", "the number of loads of %sb must be 1");
  await page.evaluate(() => [...document.querySelectorAll(".finding .link")].find((each) => each.textContent === "T5-WS-001").click());
  await has("#rule h2", "T5-WS-001");
  await page.click("#tab-run");
  if (backend === "serve") {
    // A race is found and fixed, and the kernel runs.
    await page.click("#tab-findings");
    await timed("race", async () => {
      await choose("A wait is lost: a race in the ring");
      await has(".finding.error", "T5-SIM-014");
    });
    // The fix of an older text changes nothing.
    await page.evaluate(() => (globalThis.old = document.querySelector(".finding .fix button")));
    await page.click("#kernel .cm-content");
    await page.keyboard.type(" ");
    const changed = await text("#kernel .cm-content");
    await page.evaluate(() => globalThis.old.click());
    await has(".problem", "The text has changed");
    assert.equal(await text("#kernel .cm-content"), changed);
    await page.keyboard.press("Backspace");
    await page.waitForFunction(() => document.querySelector(".finding .fix button") !== globalThis.old);
    await has(".finding.error", "T5-SIM-014");
    await timed("race fixed", async () => {
      await page.click(".finding .fix button");
      await page.waitForSelector(".verdict.good");
    });
    await page.click("#tab-run");
    await timed("run", async () => {
      await page.click("#start");
      await has("#run .verdict.good", "As expected");
    });
    const frame = await (await page.waitForSelector("iframe.timeline")).contentFrame();
    await frame.waitForSelector(".chart");
  } else {
    await has("#run", "tcgen05 serve");
    assert.ok(await page.$eval("#start", (button) => button.disabled));
  }
  assert.deepEqual(complaints, []);
  assert.deepEqual(outside, []);
  console.log(JSON.stringify(times));
} catch (error) {
  console.error(await text("#findings").catch(() => ""), complaints);
  throw error;
} finally {
  await browser.close();
}
