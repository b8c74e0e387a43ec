import { Button, Upload } from 'antd';
import { changed, show } from './lib/page.js';

show(<Upload action="/upload" onChange={({ file }) => { if (file.status === 'done') changed(file.name); }}><Button>Click to upload</Button></Upload>);
