package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"io"
	"net/url"
	"slices"
	"strings"
)

// Dots stand where a secret was.
const Dots = "••••••••"

// Hider takes the values of secrets out of what leaves the keeper, as they are and in the ways in which pages write them.
type Hider struct {
	forms   [][]byte
	longest int
}

// NewHider hides the values of these secrets.
func NewHider(all []Secret) *Hider {
	h := &Hider{}
	for _, s := range all {
		for _, form := range formsOf(s.Value) {
			h.forms = append(h.forms, []byte(form))
			h.longest = max(h.longest, len(form))
		}
	}
	// The longest first: one may be a part of another.
	slices.SortFunc(h.forms, func(a, b []byte) int { return len(b) - len(a) })
	return h
}

// formsOf are the ways in which a value is written: in addresses, JSON, HTML, base64 and hex.
func formsOf(value string) []string {
	forms := []string{value, url.QueryEscape(value), url.PathEscape(value), strings.ReplaceAll(url.QueryEscape(value), "+", "%20"), encodeURIComponent(value),
		strings.ToLower(url.QueryEscape(value)), html.EscapeString(value), hex.EncodeToString([]byte(value)), strings.ToUpper(hex.EncodeToString([]byte(value)))}
	forms = append(forms, jsonText(value, true), jsonText(value, false), url.QueryEscape(jsonText(value, false)))
	// Inside a longer text base64 has three shapes, of which the first and the last letters belong to what is around.
	for _, raw := range [][]byte{[]byte(value), latin1(value)} {
		if len(raw) == 0 {
			continue
		}
		for shift := range 3 {
			for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				text := enc.EncodeToString(append(make([]byte, shift), raw...))
				from, to := (shift*8+5)/6, (shift+len(raw))*8/6
				forms = append(forms, text[from:to], url.QueryEscape(text[from:to]))
			}
		}
	}
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), func(f string) bool { return len(f) < minValue })
}

// latin1 is a value as a page's btoa sees it: a byte for each letter; nil when it has others.
func latin1(value string) []byte {
	var b []byte
	for _, r := range value {
		if r > 0xff {
			return nil
		}
		b = append(b, byte(r))
	}
	return b
}

// encodeURIComponent leaves more letters as they are than Go does.
func encodeURIComponent(value string) string {
	return strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%7E", "~").Replace(url.QueryEscape(value))
}

func jsonText(value string, safe bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(safe)
	_ = e.Encode(value)
	return strings.Trim(strings.TrimSpace(b.String()), `"`)
}

// Text is text without secrets.
func (h *Hider) Text(text string) string {
	if h == nil {
		return text
	}
	for _, f := range h.forms {
		if strings.Contains(text, string(f)) {
			text = strings.ReplaceAll(text, string(f), Dots)
		}
	}
	return text
}

// Bytes is data without secrets.
func (h *Hider) Bytes(data []byte) []byte {
	if h == nil {
		return data
	}
	for _, f := range h.forms {
		if bytes.Contains(data, f) {
			data = bytes.ReplaceAll(data, f, []byte(Dots))
		}
	}
	return data
}

// Writer takes secrets out of a stream on its way to w. Close writes the rest and leaves w open.
func (h *Hider) Writer(w io.Writer) io.WriteCloser {
	if h == nil || len(h.forms) == 0 {
		return plain{w}
	}
	return &filter{h: h, to: w}
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// filter holds back what may be the beginning of a secret.
type filter struct {
	h    *Hider
	to   io.Writer
	most int // how much is held back beyond that; 0 for flushSize
	held []byte
}

const flushSize = 64 << 10

func (f *filter) Write(p []byte) (int, error) {
	f.held = append(f.held, p...)
	most := f.most
	if most == 0 {
		most = flushSize
	}
	if len(f.held)-f.h.longest <= most {
		return len(p), nil
	}
	ready := f.h.cut(f.held, len(f.held)-f.h.longest)
	if ready == 0 && len(f.held) > 16*flushSize { // one secret after the other without end
		ready = len(f.held) - f.h.longest
	}
	if _, err := f.to.Write(f.h.Bytes(f.held[:ready])); err != nil {
		return 0, err
	}
	f.held = slices.Clone(f.held[ready:])
	return len(p), nil
}

// cut moves a place at which data is cut in two before whatever is hidden there: what is a secret's beginning may be a whole one, too.
func (h *Hider) cut(data []byte, at int) int {
	for moved := true; moved; {
		moved = false
		for _, form := range h.forms {
			from, to := max(0, at-len(form)+1), min(len(data), at+len(form)-1)
			if i := bytes.Index(data[from:to], form); i >= 0 && from+i < at && from+i+len(form) > at {
				at, moved = from+i, true
			}
		}
	}
	return at
}

func (f *filter) Close() error {
	_, err := f.to.Write(f.h.Bytes(f.held))
	f.held = nil
	return err
}
