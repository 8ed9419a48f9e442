// Programs among the documents: their words are tokens, and what is said about them is said of code.
Cento.program = (() => {
  const NAMES = {
    asm: 'Assembly', awk: 'AWK', javascript: 'JavaScript', ocaml: 'OCaml', php: 'PHP', powershell: 'PowerShell',
    sql: 'SQL', typescript: 'TypeScript', vhdl: 'VHDL',
  };

  const is = (document) => Boolean(document.language);

  /* What people call the language; nothing for a text. */
  const language = (document) => {
    if (!is(document)) return '';
    const name = Cento.words.printable(document.language);
    return Object.hasOwn(NAMES, name) ? NAMES[name] : name.charAt(0).toUpperCase() + name.slice(1);
  };

  /* The languages of several documents, each once; texts are among them if programs are, too. */
  const languages = (documents) => [...new Set(documents.map((document) => language(document) || 'text'))];

  const all = (documents) => documents.length > 0 && documents.every(is);
  const any = (documents) => documents.some(is);

  /* What is counted in a document, or in all of some. */
  const unit = (...documents) => (all(documents) ? 'token' : 'word');

  /* The same for many, which may be of both kinds. */
  const units = (documents) => {
    if (all(documents)) return 'tokens';
    return any(documents) ? 'words or tokens' : 'words';
  };

  /* What words and passages are to the other document. */
  const CLASSES = {
    text: { verbatim: 'word for word', edited: 'edited', reworded: 'reworded, not counted', own: 'not in the other text', chunk: 'in a chunk that the registered document has' },
    code: { verbatim: 'same', edited: 'same structure, other names', reworded: 'reworded, not counted', own: 'own: not in the other program', chunk: 'in a chunk that the registered document has' },
  };
  const classes = (...documents) => CLASSES[all(documents) ? 'code' : 'text'];

  /* What a passage is called, and how it is marked. Programs whose tokens are equal may have other names in them. */
  const kind = (pair, passage) => {
    if (!all(pair.documents)) return { label: passage.kind, mark: passage.kind };
    if (passage.kind !== 'exact') return { label: 'similar structure', mark: 'edited' };
    const marks = (pair.marks || [[]])[0].filter((mark) => mark.class !== 'own' && mark.start < passage.left.end && mark.end > passage.left.start);
    if (marks.some((mark) => mark.class !== 'verbatim')) return { label: 'same structure', mark: 'edited' };
    return { label: marks.length > 0 ? 'same' : 'same structure', mark: 'exact' };
  };

  return { CLASSES, is, all, any, language, languages, unit, units, classes, kind };
})();
