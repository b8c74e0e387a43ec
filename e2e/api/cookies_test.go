//go:build e2e

package api

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// madeUp is an HTTP proxy behind which every host is a site of ours: a page shows the cookies that the browser sends,
// with the text nobody for a visitor who is not logged in.
func madeUp(t *testing.T, a *harness.App) (id int) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var names []string
		for _, c := range r.Cookies() {
			names = append(names, c.Name+"="+c.Value)
		}
		slices.Sort(names)
		if len(names) == 0 {
			names = []string{"nobody"}
		}
		_, _ = io.WriteString(w, "<!doctype html><title>made up</title><p>"+strings.Join(names, " "))
	}))
	t.Cleanup(s.Close)
	host, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	r := a.Own("POST", "/v1.0/browser_profiles",
		fmt.Sprintf(`{"name":"made up","proxy":{"type":"http","host":%q,"port":%s}}`, host, port))
	harness.MustSucceed(t, r)
	number, _ := r.Body["browserProfileId"].(float64)
	if number == 0 {
		t.Fatalf("no profile was made: %s", r.Raw)
	}
	return int(number)
}

// sees visits an address and returns the page's text.
func sees(t *testing.T, port int, address string) string {
	t.Helper()
	tab := harness.NewTab(t, port)
	tab.Visit(address)
	var text string
	tab.Eval("document.body.innerText", &text)
	return strings.TrimSpace(text)
}

// exported returns the cookies of a profile in Dolphin's form, sorted by nothing: the text itself.
func exported(t *testing.T, a *harness.App, id int) string {
	t.Helper()
	r := a.Own("GET", harness.StatePath(id, "/cookies"), "")
	if r.Status != http.StatusOK {
		t.Fatalf("the export answers %d %s", r.Status, r.Raw)
	}
	return r.Raw
}

const loginCookies = `[
	{"domain":".shop.example","name":"login","value":"ada-lovelace","path":"/","httpOnly":true,"expirationDate":%d},
	{"domain":"www.shop.example","name":"basket","value":"7","hostOnly":true,"session":true},
	{"domain":"www.shop.example","name":"old","value":"x","expirationDate":1000000000}]`

func TestImportedCookiesLogIn(t *testing.T) {
	a := harness.Start(t)
	id := madeUp(t, a)
	in := fmt.Sprintf(loginCookies, time.Now().Add(48*time.Hour).UnixMilli())
	body := fmt.Sprintf(`{"profileId":"%d","cookies":%s,"transfer":0,"cloudSyncDisabled":false}`, id, in)

	// A profile with tabs keeps them, although a hidden browser was there in between.
	port := a.Open(id)
	harness.NewTab(t, port).Visit("http://tabs.example/kept")
	a.Close(id)

	r := a.Request("POST", "/v1.0/cookies/import", body)
	harness.MustSucceed(t, r)
	if r.Body["imported"] != 2.0 || r.Body["skipped"] != 1.0 {
		t.Errorf("the import says %s", r.Raw)
	}
	a.MustBeClosed(id, 0)

	port = a.Open(id)
	harness.Wait(t, "the tab of the last session", func() bool {
		return slices.ContainsFunc(harness.StateTargets(t, port), func(p map[string]string) bool {
			return p["url"] == "http://tabs.example/kept"
		})
	})
	if got := sees(t, port, "http://www.shop.example/"); got != "basket=7 login=ada-lovelace" {
		t.Errorf("www sees %q", got)
	}
	if got := sees(t, port, "http://shop.example/"); got != "login=ada-lovelace" {
		t.Errorf("the domain sees %q", got)
	}
	if got := sees(t, port, "http://elsewhere.example/"); got != "nobody" {
		t.Errorf("elsewhere sees %q", got)
	}

	// Into the open profile, by the other ways.
	r = a.Request("POST", "/?actionType=importCookies&browserProfileId="+fmt.Sprint(id),
		`{"cookies":[{"domain":"open.example","name":"login","value":"bob"}]}`)
	harness.MustSucceed(t, r)
	r = a.Request("POST", harness.StatePath(id, "/cookies"), ".n.example\tTRUE\t/\tFALSE\t0\tlogin\tcy\n")
	harness.MustSucceed(t, r)
	for address, want := range map[string]string{
		"http://open.example/": "login=bob", "http://sub.open.example/": "nobody", "http://www.n.example/": "login=cy",
	} {
		if got := sees(t, port, address); got != want {
			t.Errorf("%s sees %q", address, got)
		}
	}
	open := exported(t, a, id)
	a.Close(id)
	if closed := exported(t, a, id); closed != open || strings.Count(closed, `"domain"`) != 4 {
		t.Errorf("open:\n%s\nclosed:\n%s", open, closed)
	}
	r = a.Get("/?actionType=getCookies&browserProfileId=" + fmt.Sprint(id))
	harness.MustSucceed(t, r)
	if list, _ := r.Body["data"].([]any); len(list) != 4 {
		t.Errorf("getCookies says %s", r.Raw)
	}
	r = a.Request("POST", "/v1.0/export-cookies", fmt.Sprintf(`{"browserProfiles":[{"id":%d,"name":"x"}]}`, id))
	harness.MustSucceed(t, r)
	if list, _ := r.Body["cookies"].([]any); len(list) != 4 {
		t.Errorf("export-cookies says %s", r.Raw)
	}
	journal := a.Own("GET", harness.StatePath(id, "/journal"), "").Raw
	if !strings.Contains(journal, "cookies imported") || !strings.Contains(journal, "shop.example") ||
		strings.Contains(journal, "lovelace") {
		t.Errorf("the journal says %s", journal)
	}
}

func TestABrokenCookieChangesNothing(t *testing.T) {
	a := harness.Start(t)
	id := madeUp(t, a)
	good := fmt.Sprintf(loginCookies, time.Now().Add(48*time.Hour).UnixMilli())
	harness.MustSucceed(t, a.Request("POST", harness.StatePath(id, "/cookies"), good))
	check := func(state string) {
		before := exported(t, a, id)
		for name, body := range map[string]string{
			"no domain": `[{"domain":"shop.example","name":"login","value":"eve"},{"name":"x","value":"eve"}]`,
			// The browser itself refuses these, without a word.
			"a public suffix": `[{"domain":".shop.example","name":"login","value":"eve"},` +
				`{"domain":".co.uk","name":"x","value":"eve"}]`,
			"too many of one site": many(400, "eve.example"),
			"names and values":     `"login=eve; x=y"`,
			"a bad origin": `{"cookies":[{"domain":".shop.example","name":"login","value":"eve"}],"origins":[` +
				`{"origin":"https://eve.example","localStorage":[{"name":"a","value":"` + strings.Repeat("eve", 2<<20) + `"}]}]}`,
		} {
			r := a.Request("POST", harness.StatePath(id, "/cookies"), body)
			harness.MustRefuse(t, r, http.StatusUnprocessableEntity, "E_UNPROCESSABLE")
			if after := exported(t, a, id); after != before {
				t.Errorf("%s, %s: the refused import changed\n%s\ninto\n%s", state, name, before, after)
			}
		}
	}
	check("closed")
	a.Open(id)
	check("open")
	a.Close(id)
	a.OpenOrdinary(id)
	r := a.Request("POST", harness.StatePath(id, "/cookies"), good)
	harness.MustRefuse(t, r, http.StatusConflict, "E_BROWSER_OPEN_ORDINARY")
	a.Close(id)
}

// many makes n cookies of one site.
func many(n int, domain string) string {
	var list []map[string]any
	for i := range n {
		list = append(list, map[string]any{"domain": domain, "name": fmt.Sprintf("n%d", i), "value": "eve"})
	}
	raw, _ := json.Marshal(list)
	return string(raw)
}

func TestFiveThousandCookiesInEveryFormat(t *testing.T) {
	a := harness.Start(t)
	id := madeUp(t, a)
	list := make([]map[string]any, 0, 5000)
	for i := range 5000 {
		c := map[string]any{
			"domain": fmt.Sprintf("h%d.s%d.example", i%7, i/40), "name": fmt.Sprintf("n%d", i), "value": fmt.Sprintf("v-%d=é", i),
			"path": fmt.Sprintf("/p%d", i%3), "hostOnly": i%2 == 0, "httpOnly": i%3 == 0, "secure": i%2 == 0,
			"sameSite": []string{"unspecified", "lax", "strict", "lax"}[i%4],
		}
		if i%5 > 0 {
			c["expirationDate"] = float64(time.Now().Unix()+86400+int64(i)) + 0.5
		}
		if i%8 == 0 {
			c["sameSite"], c["partitionKey"] = "no_restriction",
				map[string]any{"topLevelSite": fmt.Sprintf("https://top%d.example", i%9), "hasCrossSiteAncestor": i%16 == 0}
		}
		list = append(list, c)
	}
	raw, _ := json.Marshal(list)
	began := time.Now()
	r := a.Request("POST", harness.StatePath(id, "/cookies"), string(raw))
	harness.MustSucceed(t, r)
	t.Logf("5,000 cookies into a closed profile: %s", time.Since(began).Round(time.Millisecond))
	if r.Body["imported"] != 5000.0 {
		t.Fatalf("the import says %s", r.Raw)
	}
	for format, want := range map[string]int{"dolphin": 5000, "puppeteer": 5000, "storageState": 5000, "netscape": 4375} {
		file := a.Get(harness.StatePath(id, "/cookies?format="+format))
		if file.Status != http.StatusOK {
			t.Fatalf("%s: %d %.300s", format, file.Status, file.Raw)
		}
		r := a.Request("POST", harness.StatePath(id, "/cookies?dryRun=1"), file.Raw)
		harness.MustSucceed(t, r)
		added, replaced, unchanged := total(r)
		if format == "netscape" { // it has no sameSite
			unchanged, replaced = unchanged+replaced, 0
		}
		if added != 0 || replaced != 0 || unchanged != want {
			t.Errorf("%s: %d added, %d replaced, %d unchanged", format, added, replaced, unchanged)
		}
	}
}

// total sums up what an import would change.
func total(r harness.Answer) (added, replaced, unchanged int) {
	domains, _ := r.Body["domains"].([]any)
	for _, d := range domains {
		for name, sum := range map[string]*int{"added": &added, "replaced": &replaced, "unchanged": &unchanged} {
			n, _ := harness.Member(d, name).(float64)
			*sum += int(n)
		}
	}
	return added, replaced, unchanged
}

func TestCookiesCommand(t *testing.T) {
	a := harness.Start(t)
	id := fmt.Sprint(madeUp(t, a))
	file := filepath.Join(t.TempDir(), "in.json")
	in := fmt.Sprintf(loginCookies, time.Now().Add(48*time.Hour).UnixMilli())
	if err := os.WriteFile(file, []byte(in), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := a.Must("cookies", "import", id, file, "--dry-run"); !strings.Contains(said, "www.shop.example") ||
		!strings.Contains(said, "1 cookie has expired") {
		t.Errorf("the dry run says %s", said)
	}
	if said := a.Must("cookies", "import", id, file, "--yes"); !strings.Contains(said, "Imported 2 cookies") {
		t.Errorf("the import says %s", said)
	}
	out := filepath.Join(t.TempDir(), "out.txt")
	a.Must("cookies", "export", id, "--format", "netscape", "-o", out)
	text, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(text), "#HttpOnly_.shop.example\tTRUE\t/\tFALSE") {
		t.Errorf("%v: %s", err, text)
	}
	if info, err := os.Stat(out); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: the file is %v", err, info.Mode())
	}
	if said := a.Must("cookies", "import", id, out, "--dry-run", "--json"); !strings.Contains(said, `"added":0`) {
		t.Errorf("the export would change %s", said)
	}
}

// A closed profile of 150 MB takes 5,000 cookies three times, and keeps all of them. The log says how long that took
// beside the profile's own start and stop.
func TestALargeProfileTakesManyCookies(t *testing.T) {
	a := harness.Start(t)
	id := madeUp(t, a)
	port := a.Open(id)
	tab := harness.NewTab(t, port)
	tab.Visit("http://large.example/")
	tab.Eval(`(async () => {
		const cache = await new Promise((ok, no) => { const r = indexedDB.open('large', 1);
			r.onupgradeneeded = () => r.result.createObjectStore('s'); r.onsuccess = () => ok(r.result); r.onerror = no; });
		for (let i = 0; i < 75; i++) await new Promise((ok, no) => {
			const block = new Uint8Array(2 << 20);
			for (let k = 0; k < block.length; k += 65536) crypto.getRandomValues(block.subarray(k, k + 65536));
			const t = cache.transaction('s', 'readwrite');
			t.objectStore('s').put(block, i);
			t.oncomplete = ok; t.onerror = no;
		});
		return 1; })()`, nil)
	a.Close(id)
	size := int64(0)
	_ = filepath.WalkDir(a.File(id, "data_dir"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	var own, imports []time.Duration
	for round := range 3 {
		began := time.Now()
		a.Open(id)
		a.Close(id)
		own = append(own, time.Since(began))
		began = time.Now()
		harness.MustSucceed(t, a.Request("POST", harness.StatePath(id, "/cookies"), spread(5000, round)))
		imports = append(imports, time.Since(began))
	}
	if n := strings.Count(exported(t, a, id), `"domain"`); n != 15000 {
		t.Errorf("the profile has %d cookies", n)
	}
	t.Logf("a data folder of %d MB: start and stop %v, 5,000 cookies %v", size>>20, own, imports)
}
