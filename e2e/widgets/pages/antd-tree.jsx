import { Tree } from 'antd';
import { changed, show } from './lib/page.js';

const node = (title, children) => ({ title, key: title, children });
const data = [node('Company', [node('Sales', [node('Europe'), node('Asia')]), node('Engineering', [node('Browser'), node('Server')])]), node('Partners', [node('Agency')])];
show(<><h2>Departments</h2><Tree treeData={data} onSelect={(keys) => changed(keys.join(','))} /></>);
