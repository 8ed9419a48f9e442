// A place to drop files, folders and archives on, or to choose them with the keyboard.
Cento.drop = (() => {
  const { h, name } = Cento.dom;
  const { counted, bytes } = Cento.words;
  const SHOWN = 200;

  /* The files of a dropped folder, each with its path in it. */
  const walk = async (entry, found) => {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      found.push([entry.fullPath.replace(/^\/+/, ''), file]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, failed) => reader.readEntries(done, failed));
      if (some.length === 0) return;
      for (const one of some) await walk(one, found);
    }
  };

  const dropped = async (transfer) => {
    // Entries have to be asked for before anything is waited for.
    const files = [...transfer.files];
    const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
    if (entries.length === 0 || entries.some((entry) => !entry)) return files.map((file) => [file.name, file]);
    const found = [];
    for (const entry of entries) await walk(entry, found);
    return found;
  };

  return ({ label, hint }) => {
    let files = [];
    const listeners = [];
    const list = h('ul', { class: 'chosen', hidden: true, 'aria-label': 'Chosen files', tabindex: 0 });
    const said = h('p', { role: 'status' });
    const picker = (attributes) => {
      const input = h('input', { type: 'file', hidden: true, multiple: true, ...attributes, on: { change: () => {
        add([...input.files].map((file) => [file.webkitRelativePath || file.name, file]));
        input.value = '';
      } } });
      return input;
    };
    const fromFiles = picker({ 'data-pick': 'files' });
    const fromFolder = picker({ 'data-pick': 'folder', webkitdirectory: true });
    const clear = h('button', { type: 'button', class: 'quiet', hidden: true, on: { click: () => set([]) } }, 'Remove all');
    const zone = h('div', { class: 'drop', role: 'group', 'aria-label': label },
      h('p', null, h('strong', null, 'Drop files, folders or a zip here'), ' or'),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', on: { click: () => fromFiles.click() } }, 'Choose files'),
        h('button', { type: 'button', on: { click: () => fromFolder.click() } }, 'Choose a folder'), clear),
      h('p', null, h('small', null, hint)), said, fromFiles, fromFolder);

    const set = (chosen) => {
      files = chosen;
      const size = files.reduce((sum, [, file]) => sum + file.size, 0);
      list.replaceChildren(...files.slice(0, SHOWN).map(([path, file]) => h('li', null, name(path), h('small', null, bytes(file.size)))),
        files.length > SHOWN ? h('li', null, `and ${counted(files.length - SHOWN, 'more file')}`) : '');
      list.hidden = files.length === 0;
      clear.hidden = files.length === 0;
      said.textContent = files.length === 0 ? '' : `${counted(files.length, 'file')}, ${bytes(size)}`;
      listeners.forEach((listener) => listener(files));
    };
    const add = (more) => set([...files, ...more]);

    for (const event of ['dragenter', 'dragover']) {
      zone.addEventListener(event, (dragged) => {
        dragged.preventDefault();
        zone.classList.add('over');
      });
    }
    zone.addEventListener('dragleave', () => zone.classList.remove('over'));
    zone.addEventListener('drop', async (drop) => {
      drop.preventDefault();
      zone.classList.remove('over');
      add(await dropped(drop.dataTransfer));
    });
    return {
      element: h('div', { class: 'field' }, h('span', { class: 'label' }, label), zone, list),
      files: () => files,
      follow: (listener) => listeners.push(listener),
    };
  };
})();

// A file that misses its place must not replace the page.
for (const event of ['dragover', 'drop']) addEventListener(event, (dragged) => dragged.preventDefault());
