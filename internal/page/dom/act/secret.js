// Secrets: written by script into the very document that they are for.

// fillSecret writes a secret into a field of this very document, if it is of the origin that the secret is for. It is done here and
// not with keys, which would go wherever the focus is by then. The field shows dots from now on, whatever type it has or gets.
const origin = () => self.origin;
const command = Document.prototype.execCommand;
act.fillSecret = (id, value, wanted) => {
  const el = cove.get(id);
  if (!el) return { gone: true };
  if (origin() !== wanted) return { elsewhere: true };
  if (el.localName !== 'input' || !TEXT.has(el.type)) return { unfit: true };
  if (el.matches(':disabled')) return { disabled: true };
  if (el.readOnly) return { readonly: true };
  cove.conceal(el);
  el.style.setProperty('-webkit-text-security', 'disc', 'important');
  el.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
  el.focus({ preventScroll: true });
  el.select();
  try {
    command.call(document, 'insertText', false, value);
  } catch { /* written below */ }
  if (el.value !== value && cove.get(id) === el && origin() === wanted) {
    setValue.call(el, value);
    announce(el);
  }
  return { length: el.value.length };
};
act.origin = origin;

