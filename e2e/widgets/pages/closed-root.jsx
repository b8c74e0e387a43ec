import { changed, root } from './lib/page.js';

customElements.define('x-stepper', class extends HTMLElement {
  constructor() {
    super();
    const shadow = this.attachShadow({ mode: 'closed' });
    shadow.innerHTML = '<style>div { display: inline-flex; gap: 8px }</style><label for="n">Guests</label><div><button>Fewer guests</button><output id="n">1</output><button>More guests</button></div>';
    const out = shadow.querySelector('output');
    const [less, more] = shadow.querySelectorAll('button');
    const step = (by) => { out.textContent = Number(out.textContent) + by; changed(Number(out.textContent)); };
    less.onclick = () => step(-1);
    more.onpointerup = () => step(1);
  }
});
root.innerHTML = '<x-stepper></x-stepper>';
