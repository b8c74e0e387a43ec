import { RichTreeView } from '@mui/x-tree-view';
import { changed, show } from './lib/page.js';

const items = [{ id: 'grid', label: 'Data Grid', children: [{ id: 'grid-community', label: 'Community' }, { id: 'grid-pro', label: 'Pro' }] },
  { id: 'pickers', label: 'Pickers', children: [{ id: 'pickers-community', label: 'Community pickers' }, { id: 'pickers-pro', label: 'Pro pickers' }] }, { id: 'charts', label: 'Charts' }];
show(<><h2 id="products">Products</h2><RichTreeView aria-labelledby="products" items={items} onSelectedItemsChange={(_, id) => changed(id)} /></>);
