import { OTPInput } from 'input-otp';
import { changed, show } from './lib/page.js';

show(<><label htmlFor="code">Security code</label><OTPInput id="code" maxLength={6} onComplete={changed} render={({ slots }) => <div style={{ display: 'flex', gap: 4 }}>{slots.map((s, i) => <div key={i} style={{ width: 28, height: 36, border: '1px solid #888', textAlign: 'center' }}>{s.char}</div>)}</div>} /></>);
