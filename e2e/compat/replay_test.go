//go:build e2e

package compat

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// recording is what a client sent when it was run, and what it reads of the answers.
type recording struct {
	Client  string
	API     string            // dolphin or adspower
	Headers map[string]string // of every request
	Steps   []step
}

// step is one request, or one page that the client opens with what it was told.
type step struct {
	Source, Note string
	Method, Path string
	Headers      map[string]string
	Body, Base64 string
	Status       int               // 0 for any but that of a call that does not exist
	Reads        map[string]string // where in the answer, and of which kind
	Equals       map[string]any
	Keep         map[string]string // names for later steps, and where in the answer

	Open, Address string
}

func read(t *testing.T, name string) (r recording) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "compat", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Steps) == 0 {
		t.Fatalf("%s has no steps", name)
	}
	return r
}

// player plays a recording to a server.
type player struct {
	*testing.T
	base  string            // of the API
	page  string            // what the client opens; its title is Welcome
	names map[string]string // what stands for {name}
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// fill replaces the names in a text. Braces of JSON hold no bare word.
func (p player) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		if value, ok := p.names[found[1:len(found)-1]]; ok {
			return value
		}
		p.Errorf("nothing was kept as %s", found)
		return "2147483647"
	})
}

// play does all steps, and goes on after one that fails.
func (p player) play(r recording) {
	p.Helper()
	for _, s := range r.Steps {
		if s.Open != "" {
			p.open(s)
			continue
		}
		status, answer, raw := p.send(r.Headers, s)
		where := s.Method + " " + p.fill(s.Path) + " (" + s.Source + ")"
		if s.Status == 0 && at(answer, "errorObject.code") == "E_NO_ROUTE" || s.Status != 0 && status != s.Status {
			p.Errorf("%s: answers %d, not %d: %s", where, status, s.Status, raw)
			continue
		}
		for path, kind := range s.Reads {
			if got := kindOf(answer, p.fill(path)); got != kind && (kind != "number" || got != "integer") &&
				(kind != "array" || got != "empty") {
				p.Errorf("%s: %s is %s, and the client reads %s: %s", where, path, got, kind, raw)
			}
		}
		for path, want := range s.Equals {
			if text, ok := want.(string); ok {
				want = p.fill(text)
			}
			if got := at(answer, path); got != want {
				p.Errorf("%s: %s is %v, not %v: %s", where, path, got, want, raw)
			}
		}
		for name, path := range s.Keep {
			if found := at(answer, path); found != (absent{}) {
				raw, _ := json.Marshal(found)
				p.names[name] = strings.Trim(string(raw), `"`)
			}
		}
	}
}

// send sends one request as it was recorded.
func (p player) send(common map[string]string, s step) (status int, answer any, raw string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 2*time.Minute)
	defer cancel()
	body := p.fill(s.Body)
	if s.Base64 != "" {
		bytes, err := base64.StdEncoding.DecodeString(s.Base64)
		if err != nil {
			p.Fatal(err)
		}
		body = string(bytes)
	}
	req, err := http.NewRequestWithContext(ctx, s.Method, p.base+p.fill(s.Path), strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	for _, headers := range []map[string]string{common, s.Headers} {
		for name, value := range headers {
			if name == "Host" {
				req.Host = p.fill(value)
				continue
			}
			req.Header.Set(name, p.fill(value))
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.Fatalf("%s %s: %v", s.Method, s.Path, err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.Fatal(err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		p.Errorf("%s %s: no JSON: %s", s.Method, s.Path, text)
	}
	return res.StatusCode, answer, string(text)
}
