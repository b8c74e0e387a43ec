import { AllCommunityModule, ModuleRegistry, createGrid } from 'ag-grid-community';
import { changed, record, root } from './lib/page.js';

ModuleRegistry.registerModules([AllCommunityModule]);
root.innerHTML = '<h2>Stock</h2><div id="grid" style="height: 400px"></div>';
const rows = Array.from({ length: 60 }, (_, i) => ({ item: `Part ${String(i + 1).padStart(2, '0')}`, price: (i * 37) % 101 + 1, note: i % 3 ? '' : 'checked' }));
const api = createGrid(document.getElementById('grid'), { rowData: rows, columnDefs: [{ field: 'item' }, { field: 'price' }, { field: 'note', editable: true }],
  onSortChanged: () => { const s = api.getColumnState().find((c) => c.sort); changed(s ? `${s.colId} ${s.sort}` : ''); },
  onCellValueChanged: (e) => { record.edit = `${e.data.item}: ${e.newValue}`; } });
