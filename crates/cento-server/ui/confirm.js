// Asks before something is gone for good.
Cento.confirm = (() => {
  const { h } = Cento.dom;

  /* Whether somebody says yes to `title`. The safe answer has the focus, and Escape is the safe answer. */
  return ({ title, text, yes, no }) => new Promise((done) => {
    const focused = document.activeElement;
    const dialog = h('dialog', { class: 'help', 'aria-labelledby': 'confirm-title' }, h('h2', { id: 'confirm-title' }, title), h('p', null, text),
      h('form', { method: 'dialog', class: 'buttons spaced' }, h('button', { value: 'no', autofocus: true }, no), h('button', { value: 'yes', class: 'danger' }, yes)));
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (focused.isConnected) focused.focus();
      done(dialog.returnValue === 'yes');
    });
    document.body.append(dialog);
    dialog.returnValue = 'no';
    dialog.showModal();
  });
})();
