package mock

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/target"
)

// browser remembers the commands that it gets.
type browser struct {
	mu    sync.Mutex
	heard []string
}

func (b *browser) take() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	heard := strings.Join(b.heard, "\n")
	b.heard = nil
	return heard
}

func newMocks(t *testing.T) (*browser, *Mocks) {
	t.Helper()
	b := &browser{}
	conn := cdp.NewConn(func(raw []byte) error {
		var m struct {
			Session string          `json:"sessionId"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		err := json.Unmarshal(raw, &m)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.heard = append(b.heard, m.Session+" "+m.Method+" "+string(m.Params))
		return err
	}, func(cdp.Event) {})
	m := New(target.New(conn, "T", "S"), func(address string) error {
		if strings.Contains(address, "blocked.test") {
			return errors.New("blocked")
		}
		return nil
	})
	m.Attach("S")
	return b, m
}

func (m *Mocks) stopped(url, method, headers string) {
	m.Event(cdp.Event{Session: "S", Method: "Fetch.requestPaused", Params: json.RawMessage(
		fmt.Sprintf(`{"requestId":"7","request":{"url":%q,"method":%q,"headers":%s}}`, url, method, headers))})
}

func TestARequestIsAnsweredByTheFirstRuleThatMatches(t *testing.T) {
	b, m := newMocks(t)
	if heard := b.take(); heard != "" {
		t.Errorf("without rules: %s", heard)
	}
	paused := false
	first, err := m.Set("one", []Rule{
		{URL: "https://a.test/block*", Block: true},
		{URL: "https://*/api?id=\\*", Method: "POST", Status: 503, Headers: map[string]string{"X-A": "1"}, Body: "hello"},
	}, func() bool { return paused })
	if err != nil || !first {
		t.Fatal(first, err)
	}
	if heard := b.take(); !strings.HasPrefix(heard, "S Fetch.enable") || strings.Count(heard, "urlPattern") != 2 {
		t.Errorf("told: %s", heard)
	}

	for name, one := range map[string]struct {
		url, method, headers string
		want                 []string
	}{
		"blocked":        {"https://a.test/blocked", "GET", "{}", []string{"S Fetch.failRequest", "BlockedByClient"}},
		"mocked":         {"https://a.test/api?id=*#x", "POST", "{}", []string{"fulfillRequest", "503", "X-A", "aGVsbG8="}},
		"another method": {"https://a.test/api?id=*", "GET", "{}", []string{`continueRequest {"requestId":"7"}`}},
		"another site": {"https://a.test/api?id=*", "POST", `{"origin":"https://b.test"}`,
			[]string{"Access-Control-Allow-Origin", "https://b.test", "X-A"}},
		"asked before": {"https://a.test/api?id=*", "OPTIONS",
			`{"Origin":"https://b.test","Access-Control-Request-Method":"POST","Access-Control-Request-Headers":"x-b"}`,
			[]string{"fulfillRequest", "204", "Access-Control-Allow-Methods", "x-b"}},
		"refused by the rules for sites": {"https://blocked.test/api?id=*", "POST", "{}", []string{"continueRequest"}},
	} {
		m.stopped(one.url, one.method, one.headers)
		heard := b.take()
		for _, want := range one.want {
			if !strings.Contains(heard, want) {
				t.Errorf("%s: no %s in %s", name, want, heard)
			}
		}
	}

	paused = true
	m.stopped("https://a.test/blocked", "GET", "{}")
	if heard := b.take(); !strings.Contains(heard, "continueRequest") {
		t.Errorf("while the person works: %s", heard)
	}
}

func TestRulesAreBoundedAndGoWithTheirAgent(t *testing.T) {
	b, m := newMocks(t)
	if _, err := m.Set("one", make([]Rule, Most), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Set("two", make([]Rule, 1), nil); fault.KindOf(err) != fault.Invalid {
		t.Errorf("one too many: %v", err)
	}
	if first, err := m.Set("one", make([]Rule, 1), nil); err != nil || first {
		t.Error(first, err)
	}
	b.take()
	m.Attach("F")
	if heard := b.take(); !strings.HasPrefix(heard, "F Fetch.enable") {
		t.Errorf("a frame that came later: %s", heard)
	}
	m.Detach("F")
	m.ClearOthers("one")
	if heard := b.take(); heard != "" {
		t.Errorf("there were no others: %s", heard)
	}
	m.Clear("two")
	m.Clear("one")
	if heard := b.take(); !strings.HasPrefix(heard, "S Fetch.disable") || strings.Contains(heard, "F ") {
		t.Errorf("after the agent: %s", heard)
	}
}

func TestPatternsMatchAsTheBrowsersDo(t *testing.T) {
	for _, one := range []struct {
		pattern, address string
		want             bool
	}{
		{"*", "https://a.test/", true},
		{"", "", true},
		{"", "x", false},
		{"https://a.test/*", "https://a.test/b/c?d", true},
		{"https://a.test/*.js", "https://a.test/b/c.js", true},
		{"https://a.test/*.js", "https://a.test/b/c.js?v=1", false},
		{"*a*b*", "xaybz", true},
		{"*a*b*", "xbya", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{`a\?c`, "a?c", true},
		{`a\?c`, "abc", false},
		{`a\*`, "a*", true},
		{`a\*`, "ab", false},
		{"**", "x", true},
		{"é?", "éü", true},
	} {
		if got := Match(one.pattern, one.address); got != one.want {
			t.Errorf("%q matches %q: %v", one.pattern, one.address, got)
		}
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("a*b", "axb")
	f.Add(`\`, `\`)
	f.Fuzz(func(t *testing.T, pattern, address string) {
		if Match(pattern, address) && !Match("*"+pattern, "x"+address) {
			t.Errorf("%q, %q", pattern, address)
		}
	})
}
