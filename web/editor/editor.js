// The script editor: CodeMirror 6 with Python, bundled into editor.bundle.js by `npm run editor`.
// Knows nothing of streams; the page hands in texts and marks and gets changes back.
import { basicSetup } from "codemirror";
import { python } from "@codemirror/lang-python";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/**
 * Puts an editor into `parent` and returns its handle.
 * Options: `text` is the first content, `onChange(text)` hears every edit of the learner.
 */
export function createEditor(parent, options = {}) {
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged && options.onChange) options.onChange(update.state.doc.toString());
  });
  // In a shadow root CodeMirror adopts constructed style sheets; in the document it would add a <style>
  // element, which the page's policy (style-src 'self') forbids.
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: options.text ?? "", extensions: [basicSetup, python(), listener] }),
  });
  return {
    text: () => view.state.doc.toString(),
    setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
