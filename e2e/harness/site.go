//go:build e2e

package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Site is a web site on loopback that pages report to.
type Site struct {
	*httptest.Server
	Mu      sync.Mutex
	Reports []map[string]any
}

// formPage has a form that says what was typed into it.
const formPage = `<!doctype html><title>form</title><input id=name><button id=go onclick="said.textContent = new URLSearchParams(location.search).get('who') + ' ' + document.getElementById('name').value">go</button><p id=said></p>`

// loginPage logs in: a cookie, a session cookie, localStorage and IndexedDB; then it reports.
const loginPage = `<!doctype html><title>login</title><script type=module>
document.cookie = 'kept=yes; max-age=99999; path=/';
document.cookie = 'session=yes; path=/';
localStorage.setItem('kept', 'yes');
await new Promise((ok, no) => {
  const r = indexedDB.open('kept', 1);
  r.onupgradeneeded = () => r.result.createObjectStore('s');
  r.onsuccess = () => { const t = r.result.transaction('s', 'readwrite'); t.objectStore('s').put('yes', 'kept'); t.oncomplete = ok; t.onerror = no; };
  r.onerror = no;
});
await fetch('/report', {method: 'POST', body: JSON.stringify({page: 'login'})});
</script>`

// checkPage reports what it finds of the login.
const checkPage = `<!doctype html><title>check</title><script type=module>
const db = await new Promise((ok) => {
  const r = indexedDB.open('kept', 1);
  r.onupgradeneeded = () => r.result.createObjectStore('s');
  r.onsuccess = () => { const g = r.result.transaction('s').objectStore('s').get('kept'); g.onsuccess = () => ok(g.result ?? 'none'); };
  r.onerror = () => ok('error');
});
await fetch('/report', {method: 'POST', body: JSON.stringify({page: 'check', cookie: document.cookie, local: localStorage.getItem('kept'), db, webdriver: navigator.webdriver})});
</script>`

// NewSite starts a site for one test.
func NewSite(t *testing.T) *Site {
	t.Helper()
	s := &Site{}
	routes := http.NewServeMux()
	html := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, text)
		}
	}
	routes.HandleFunc("/form", html(formPage))
	routes.HandleFunc("/login", html(loginPage))
	routes.HandleFunc("/check", html(checkPage))
	routes.HandleFunc("/tab/{n}", func(w http.ResponseWriter, r *http.Request) {
		html(fmt.Sprintf("<!doctype html><title>tab %s</title>tab", r.PathValue("n")))(w, r)
	})
	routes.HandleFunc("POST /report", func(_ http.ResponseWriter, r *http.Request) {
		var m map[string]any
		if json.NewDecoder(r.Body).Decode(&m) == nil {
			s.Mu.Lock()
			s.Reports = append(s.Reports, m)
			s.Mu.Unlock()
		}
	})
	s.Server = httptest.NewServer(routes)
	t.Cleanup(s.Close)
	return s
}

// Report waits for the next report of a page and takes it.
func (s *Site) Report(t *testing.T, page string) map[string]any {
	t.Helper()
	var found map[string]any
	Wait(t, "the report of the page "+page, func() bool {
		s.Mu.Lock()
		defer s.Mu.Unlock()
		for i, m := range s.Reports {
			if m["page"] == page {
				s.Reports = append(s.Reports[:i], s.Reports[i+1:]...)
				found = m
				return true
			}
		}
		return false
	})
	return found
}
