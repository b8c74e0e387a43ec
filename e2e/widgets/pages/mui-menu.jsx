import { Button, Menu, MenuItem } from '@mui/material';
import { useState } from 'react';
import { changed, show } from './lib/page.js';

function Page() {
  const [at, setAt] = useState(null);
  const close = (what) => { setAt(null); if (what) changed(what); };
  return <><Button id="account" variant="contained" onClick={(e) => setAt(e.currentTarget)}>Dashboard</Button>
    <Menu anchorEl={at} open={!!at} onClose={() => close()}>{['Profile', 'My account', 'Log out'].map((t) => <MenuItem key={t} onClick={() => close(t)}>{t}</MenuItem>)}</Menu></>;
}
show(<Page />);
