import { Toaster, toast } from 'sonner';
import { changed, show } from './lib/page.js';

show(<><Toaster duration={60000} /><ul><li>Report.pdf <button onClick={() => { changed('deleted'); toast('Report.pdf was deleted', { action: { label: 'Undo', onClick: () => changed('undone') } }); }}>Delete Report.pdf</button></li></ul></>);
