import { Form, Select } from 'antd';
import { changed, countries, show } from './lib/page.js';

show(<Form layout="vertical"><Form.Item label="Country" name="country">
  <Select showSearch placeholder="Choose a country" options={countries.map((c) => ({ value: c, label: c }))} onChange={changed} />
</Form.Item></Form>);
