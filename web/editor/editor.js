// The script editor: CodeMirror 6 with Python, bundled into editor.bundle.js by `npm run editor`.
// Knows nothing of streams; the page hands in texts and marks and gets changes back.
import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// The colours are the page's custom properties, which reach into the shadow root: light and dark need no second theme.
const look = EditorView.theme({
  "&": { height: "100%", color: "var(--code-text)", backgroundColor: "transparent", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none", boxShadow: "inset 0 0 0 2px var(--ink)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.25rem", fontVariantLigatures: "none", overflow: "auto" },
  ".cm-content": { padding: "0.25rem 0 0.75rem", caretColor: "var(--ink)" },
  ".cm-lineWrapping": { wordBreak: "break-all" },
  ".cm-line": { padding: "0 0.5rem" },
  ".cm-gutters": { backgroundColor: "transparent", border: "0", color: "var(--ink-3)", fontSize: "0.75rem" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "1.75rem", padding: "0" },
  ".cm-gutter-lint": { width: "0.875rem" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "var(--sunken)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--select)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "transparent", outline: "1px solid var(--edge)" },
  ".cm-linked": { backgroundColor: "var(--select)", boxShadow: "inset 2px 0 0 var(--ink)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--crash) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lint-marker-error": {
    content: '""',
    width: "0.5rem",
    height: "0.5rem",
    margin: "0.375rem 0 0 0",
    borderRadius: "1px",
    transform: "rotate(45deg)",
    backgroundColor: "var(--crash)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--raised)",
    color: "var(--ink)",
    border: "1px solid var(--line-2)",
    borderRadius: "var(--r-2)",
    fontFamily: "var(--font)",
    maxWidth: "32rem",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--select)", color: "var(--ink)" },
  ".cm-diagnostic": { borderLeft: "3px solid var(--crash)", padding: "0.25rem 0.5rem", whiteSpace: "pre-wrap" },
});

const inks = HighlightStyle.define([
  { tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword], color: "var(--code-word)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-quiet)" },
]);

// The line at which the script stands.
const moveLine = StateEffect.define();
const linked = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(moveLine)) continue;
      const { doc } = transaction.state;
      const isThere = effect.value !== null && effect.value >= 1 && effect.value <= doc.lines;
      next = isThere
        ? Decoration.set([Decoration.line({ class: "cm-linked" }).range(doc.line(effect.value).from)])
        : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Puts an editor into `parent` and returns its handle.
 * Options: `doc` is the first content, `label` its name for screen readers, `onChange(text)` hears every edit of the
 * learner, `onRun()` hears Control or Command with Enter.
 */
export function createEditor(parent, options = {}) {
  let isQuiet = false;
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged && !isQuiet) options.onChange?.(update.state.doc.toString());
  });
  const run = () => (options.onRun?.(), true);
  // In a shadow root CodeMirror adopts constructed style sheets; in the document it would add a <style>
  // element, which the page's policy (style-src 'self') forbids.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const extensions = [
    Prec.highest(keymap.of([{ key: "Mod-Enter", run }])),
    lineNumbers(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    indentOnInput(),
    indentUnit.of("    "),
    bracketMatching(),
    closeBrackets(),
    autocompletion(),
    highlightActiveLine(),
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap]),
    python(),
    syntaxHighlighting(inks),
    lintGutter(),
    linked,
    look,
    EditorView.contentAttributes.of({ "aria-label": options.label ?? "Script", tabindex: "0" }),
    listener,
  ];
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: options.doc ?? "", extensions }),
  });
  return {
    setDoc(text) {
      if (text === view.state.doc.toString()) return;
      isQuiet = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isQuiet = false;
    },
    setDiagnostics(list) {
      const marks = list.map((error) => {
        const from = offset(view.state.doc, error.line, error.column);
        const to = Math.max(offset(view.state.doc, error.endLine, error.endColumn), from);
        const line = view.state.doc.lineAt(from);
        // A mark without width is the whole line.
        return { from: from === to ? line.from : from, to: from === to ? line.to : to, severity: "error", message: error.message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
    setLine(line) {
      const effects = [moveLine.of(line)];
      if (line !== null && line >= 1 && line <= view.state.doc.lines) {
        effects.push(EditorView.scrollIntoView(view.state.doc.line(line).from));
      }
      view.dispatch({ effects });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** The place of a line, from 1, and a column, from 0, kept inside the text. */
function offset(doc, line, column) {
  const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(from + column, to);
}
