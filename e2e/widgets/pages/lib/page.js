// What every page of the farm shares: its own record of what happened, which the test asks for and the agent never sees.
import { createRoot } from 'react-dom/client';

export const record = (window.record = { value: null, times: 0, all: [] });

// changed notes a value that the widget has taken.
export function changed(value) {
  record.value = value;
  record.times++;
  record.all.push(value);
}

export const root = document.getElementById('root');

export const show = (element) => createRoot(root).render(element);

export const fruits = ['Apple', 'Apricot', 'Banana', 'Blackberry', 'Cherry', 'Fig', 'Grape', 'Kiwi', 'Lemon', 'Mango', 'Melon', 'Orange', 'Papaya', 'Peach', 'Pear', 'Plum', 'Quince'];

export const countries = ['Argentina', 'Australia', 'Austria', 'Belgium', 'Brazil', 'Bulgaria', 'Canada', 'Chile', 'China', 'Colombia', 'Croatia', 'Cyprus',
  'Denmark', 'Ecuador', 'Egypt', 'Estonia', 'Finland', 'France', 'Germany', 'Ghana', 'Greece', 'Hungary', 'Iceland', 'India', 'Indonesia', 'Ireland', 'Israel',
  'Italy', 'Japan', 'Kenya', 'Latvia', 'Lithuania', 'Luxembourg', 'Malaysia', 'Malta', 'Mexico', 'Morocco', 'Nepal', 'Netherlands', 'Nigeria', 'Norway', 'Pakistan',
  'Panama', 'Peru', 'Philippines', 'Poland', 'Portugal', 'Romania', 'Serbia', 'Singapore', 'Slovakia', 'Slovenia', 'Spain', 'Sweden', 'Switzerland', 'Thailand',
  'Tunisia', 'Turkey', 'Uganda', 'Ukraine', 'Uruguay', 'Vietnam'];

export const day = (date) => (date ? [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-') : null);
