import { TabulatorFull as Tabulator } from 'tabulator-tables';
import 'tabulator-tables/dist/css/tabulator.css';
import { changed, record, root } from './lib/page.js';

root.innerHTML = '<h2>People</h2><div id="table"></div>';
const data = [['Mary May', 26, 'red'], ['Oli Bob', 12, 'blue'], ['Christine Lobowski', 42, 'green'], ['Brendon Philips', 25, 'orange'], ['Margret Marmajuke', 33, 'yellow']].map(([name, age, colour], id) => ({ id, name, age, colour }));
const t = new Tabulator('#table', { data, layout: 'fitColumns', columns: [{ title: 'Name', field: 'name' }, { title: 'Age', field: 'age', sorter: 'number' }, { title: 'Colour', field: 'colour', editor: 'input' }] });
t.on('cellEdited', (cell) => { record.edit = `${cell.getRow().getData().name}: ${cell.getValue()}`; });
t.on('dataSorted', (sorters) => { if (sorters.length) changed(sorters.map((s) => `${s.field} ${s.dir}`).join()); });
