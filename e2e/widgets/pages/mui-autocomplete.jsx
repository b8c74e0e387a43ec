import { Autocomplete, TextField } from '@mui/material';
import { useEffect, useState } from 'react';
import { changed, show } from './lib/page.js';

function Page() {
  const [text, setText] = useState('');
  const [options, setOptions] = useState([]);
  const [loading, setLoading] = useState(false);
  useEffect(() => {
    if (!text) return setOptions([]);
    setLoading(true);
    const aborted = new AbortController();
    fetch('/countries?q=' + encodeURIComponent(text), { signal: aborted.signal }).then((r) => r.json()).then((all) => { setOptions(all); setLoading(false); }, () => {});
    return () => aborted.abort();
  }, [text]);
  return <Autocomplete options={options} loading={loading} filterOptions={(all) => all} onInputChange={(_, v) => setText(v)} onChange={(_, v) => changed(v)}
    renderInput={(params) => <TextField {...params} label="Destination" />} />;
}
show(<Page />);
