// The first screen before the engine is there: theme, screen and the first guess. Loaded before the first paint.
const root = document.documentElement;
const next = { system: "light", light: "dark", dark: "system" };

function storedTheme() {
  try {
    return localStorage.getItem("theme") ?? "system";
  } catch {
    return "system"; // Storage may be forbidden; then the system decides.
  }
}

function putOn(theme) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
}

function switchTheme(button) {
  const theme = next[root.dataset.theme ?? "system"];
  putOn(theme);
  button.setAttribute("aria-label", `Theme: ${theme}. Change`);
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // It holds for this visit only.
  }
}

putOn(storedTheme());

const answers = {
  2: "You expected 2 rows. There are 3.",
  3: "As you expected: 3 rows.",
  4: "You expected 4 rows. There are 3.",
};

function showScreen() {
  const asks = location.hash === "#sandbox" || location.hash.startsWith("#work=") || location.hash.startsWith("#lesson/");
  document.body.dataset.screen = asks ? "sandbox" : "start";
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
  const theme = document.querySelector("[data-theme-switch]");
  theme.setAttribute("aria-label", `Theme: ${root.dataset.theme ?? "system"}. Change`);
  theme.addEventListener("click", () => switchTheme(theme));
  for (const button of document.querySelectorAll("[data-guess]")) button.addEventListener("click", () => guess(button));
});
