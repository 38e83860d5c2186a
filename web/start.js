// The first screen before the engine is there: theme, screen and the first guess. Loaded before the first paint.
const root = document.documentElement;
const stored = (() => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null; // Storage may be forbidden; then the system decides.
  }
})();
if (stored === "light" || stored === "dark") root.dataset.theme = stored;

const answers = {
  2: "You expected 2 rows. There are 3.",
  3: "As you expected: 3 rows.",
  4: "You expected 4 rows. There are 3.",
};

function showScreen() {
  document.body.dataset.screen = location.hash === "#sandbox" ? "sandbox" : "start";
}

function guess(button) {
  for (const other of document.querySelectorAll("[data-guess]")) other.setAttribute("aria-pressed", other === button);
  for (const part of document.querySelectorAll("[data-answer]")) part.hidden = false;
  const why = "Delta found its own note on batch 1 in version 1 and skipped the second write.";
  document.querySelector("[data-say]").textContent = `${answers[button.dataset.guess]} ${why}`;
}

document.addEventListener("DOMContentLoaded", () => {
  showScreen();
  addEventListener("hashchange", showScreen);
  for (const button of document.querySelectorAll("[data-guess]")) button.addEventListener("click", () => guess(button));
});
