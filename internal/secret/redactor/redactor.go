// Package redactor removes the values of secrets from what leaves the keeper.
package redactor

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

	"cove/internal/secret"
)

// Dots stand in place of a secret.
const Dots = "••••••••"

// Redactor removes the values of secrets from what leaves the keeper, as they are and in the forms in which pages write
// them. It does not change, so any goroutine may use it. A nil Redactor removes nothing.
type Redactor struct {
	forms   [][]byte
	longest int
}

// New returns a Redactor for the values of these secrets.
func New(all []secret.Secret) *Redactor {
	r := &Redactor{}
	for _, s := range all {
		for _, value := range s.Hidden() {
			for _, form := range formsOf(value) {
				r.forms = append(r.forms, []byte(form))
				r.longest = max(r.longest, len(form))
			}
		}
	}

	// The longest first: one may be a part of another.
	slices.SortFunc(r.forms, func(a, b []byte) int { return len(b) - len(a) })
	return r
}

// formsOf returns the forms in which a value is written: in addresses, JSON, HTML, base64 and hex.
func formsOf(value string) []string {
	escaped, digits := url.QueryEscape(value), hex.EncodeToString([]byte(value))
	forms := []string{
		value, escaped, strings.ReplaceAll(escaped, "+", "%20"), strings.ToLower(escaped),
		url.PathEscape(value), encodeURIComponent(value), html.EscapeString(value), digits, strings.ToUpper(digits),
		jsonText(value, true), jsonText(value, false), url.QueryEscape(jsonText(value, false)),
	}

	// Inside a longer text base64 has three forms, whose first and last letters depend on what is around.
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
	return slices.DeleteFunc(slices.Compact(forms), func(f string) bool { return len(f) < secret.MinValue })
}

// latin1 returns a value as a page's btoa sees it, a byte for each letter; nil when it has other letters.
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

// encodeURIComponent escapes a value as the function of this name does in pages: it leaves more letters than Go.
func encodeURIComponent(value string) string {
	unescape := strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*", "%7E", "~")
	return unescape.Replace(url.QueryEscape(value))
}

func jsonText(value string, escapeHTML bool) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(escapeHTML)
	_ = e.Encode(value)
	text := strings.TrimSpace(b.String())
	return text[1 : len(text)-1] // a value may end with a quote itself
}

// Text returns a text without secrets.
func (r *Redactor) Text(text string) string {
	if r == nil {
		return text
	}
	for _, f := range r.forms {
		if strings.Contains(text, string(f)) {
			text = strings.ReplaceAll(text, string(f), Dots)
		}
	}
	return text
}

// Bytes returns data without secrets.
func (r *Redactor) Bytes(data []byte) []byte {
	if r == nil {
		return data
	}
	for _, f := range r.forms {
		if bytes.Contains(data, f) {
			data = bytes.ReplaceAll(data, f, []byte(Dots))
		}
	}
	return data
}

// Writer removes secrets from a stream on its way to w. Close writes the rest and leaves w open.
func (r *Redactor) Writer(w io.Writer) io.WriteCloser {
	if r == nil || len(r.forms) == 0 {
		return plain{w}
	}
	return &filter{redactor: r, to: w}
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }

// filter is a Writer. It retains what may be the beginning of a secret.
type filter struct {
	redactor *Redactor
	to       io.Writer
	most     int // how much it retains beyond that; 0 for flushSize
	pending  []byte
}

const flushSize = 64 << 10

func (f *filter) Write(p []byte) (int, error) {
	f.pending = append(f.pending, p...)
	most := f.most
	if most == 0 {
		most = flushSize
	}
	if len(f.pending)-f.redactor.longest <= most {
		return len(p), nil
	}

	ready := f.redactor.cut(f.pending, len(f.pending)-f.redactor.longest)
	if ready == 0 && len(f.pending) > 16*flushSize { // one secret after another without end
		ready = len(f.pending) - f.redactor.longest
	}
	if _, err := f.to.Write(f.redactor.Bytes(f.pending[:ready])); err != nil {
		return 0, err
	}
	f.pending = slices.Clone(f.pending[ready:])
	return len(p), nil
}

// cut moves a position at which data is cut in two before a secret that lies across it. What stands before the position
// then may end with another one, so it looks again.
func (r *Redactor) cut(data []byte, at int) int {
	for moved := true; moved; {
		moved = false
		for _, form := range r.forms {
			from, to := max(0, at-len(form)+1), min(len(data), at+len(form)-1)
			i := bytes.Index(data[from:to], form)
			if i >= 0 && from+i < at && from+i+len(form) > at {
				at, moved = from+i, true
			}
		}
	}
	return at
}

func (f *filter) Close() error {
	_, err := f.to.Write(f.redactor.Bytes(f.pending))
	f.pending = nil
	return err
}
