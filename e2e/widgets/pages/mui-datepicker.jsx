import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs';
import { DatePicker, LocalizationProvider } from '@mui/x-date-pickers';
import { changed, show } from './lib/page.js';

show(<LocalizationProvider dateAdapter={AdapterDayjs}><DatePicker label="Check-in" onChange={(d) => d && d.isValid() && d.year() > 1900 && changed(d.format('YYYY-MM-DD'))} /></LocalizationProvider>);
