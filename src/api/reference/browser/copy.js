/** A button on every block of code that copies it. Answers are not copied. Only a page of https or of this machine may copy. */

const blocks = navigator.clipboard ? document.querySelectorAll('pre:not(.answer) > code') : [];

for (const code of blocks) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  const frame = document.createElement('div');
  frame.className = 'code';
  code.parentElement.replaceWith(frame);
  frame.append(code.parentElement, button);
}
