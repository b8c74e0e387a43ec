import { DataGrid } from '@mui/x-data-grid';
import { changed, record, show } from './lib/page.js';

const rows = ['Snow', 'Lannister', 'Stark', 'Targaryen', 'Melisandre', 'Clifford', 'Frances', 'Roxie'].map((last, id) => ({ id: id + 1, last, age: 20 + ((id * 17) % 31) }));
show(<div style={{ height: 420 }}><DataGrid rows={rows} columns={[{ field: 'id', headerName: 'ID' }, { field: 'last', headerName: 'Last name', width: 150 }, { field: 'age', headerName: 'Age', type: 'number', editable: true }]}
  checkboxSelection disableRowSelectionOnClick onRowSelectionModelChange={(m) => { record.rows = [...m.ids].join(','); }} onSortModelChange={(m) => changed(m.map((s) => `${s.field} ${s.sort}`).join())} /></div>);
