import { DatePicker, Form } from 'antd';
import dayjs from 'dayjs';
import { changed, show } from './lib/page.js';

show(<Form layout="vertical"><Form.Item label="Due date" name="due"><DatePicker inputReadOnly defaultPickerValue={dayjs('2031-01-10')} onChange={(_, text) => changed(text)} /></Form.Item></Form>);
