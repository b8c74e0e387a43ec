package cookie

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"cove/internal/fault"
)

var now = time.Unix(1_790_000_000, 0)

func one(t *testing.T, text string) Cookie {
	t.Helper()
	set, err := Read([]byte(text), Options{Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Cookies) != 1 {
		t.Fatalf("read %d cookies of %s", len(set.Cookies), text)
	}
	return set.Cookies[0]
}

func TestReadsEveryFormat(t *testing.T) {
	want := Cookie{
		Domain: "example.com", Path: "/a", Name: "n", Value: "v", Secure: true, HTTPOnly: true, SameSite: None,
		Expires: 1_800_000_000,
	}
	plain := Cookie{Domain: "example.com", HostOnly: true, Path: "/", Name: "n", Value: "v"}
	with := func(change func(*Cookie)) Cookie {
		c := plain
		change(&c)
		return c
	}
	for name, c := range map[string]struct {
		text string
		want Cookie
	}{
		"Dolphin, in milliseconds": {`[{"domain":".example.com","name":"n","value":"v","path":"/a","secure":true,
			"httpOnly":true,"sameSite":"no_restriction","expirationDate":1800000000000}]`, want},
		"EditThisCookie, in seconds": {`[{"domain":"example.com","hostOnly":false,"name":"n","value":"v","path":"/a",
			"secure":true,"httpOnly":true,"sameSite":"no_restriction","session":false,"storeId":"0","id":1,
			"expirationDate":1800000000}]`, want},
		"an expiry as a text": {`[{"domain":".example.com","name":"n","value":"v","path":"/a","secure":"true",
			"httpOnly":1,"sameSite":"NONE","expirationDate":"1800000000"}]`, want},
		"a storageState": {`{"cookies":[{"domain":".example.com","name":"n","value":"v","path":"/a","secure":true,
			"httpOnly":true,"sameSite":"None","expires":1800000000}],"origins":[]}`, want},
		"an object": {`{"cookies":[{"domain":"example.com","name":"n","value":"v"}]}`, plain},
		"a text in JSON": {
			`"[{\"domain\":\"example.com\",\"name\":\"n\",\"value\":\"v\",\"expires\":-1}]"`, plain},
		"an object with a text": {
			`{"cookies":"[{\"domain\":\"example.com\",\"name\":\"n\",\"value\":\"v\"}]"}`, plain},
		"Netscape": {"# Netscape HTTP Cookie File\r\n\r\n#HttpOnly_.example.com\tTRUE\t/a\tTRUE\t1800000000\tn\tv\r\n",
			with(func(c *Cookie) { *c = want; c.SameSite = Unset })},
		"Netscape in a text": {`"example.com\tFALSE\t/\tFALSE\t0\tn\tv"`, plain},
		"Netscape, an empty value": {"example.com\tFALSE\t/\tFALSE\t0\tn\n",
			with(func(c *Cookie) { c.Value = "" })},
		"a path as people write it": {`[{"domain":"example.com","name":"n","value":"v","path":"/a b?é"}]`,
			with(func(c *Cookie) { c.Path = "/a%20b%3F%C3%A9" })},
		"localhost is always host-only": {`[{"domain":".localhost","name":"n","value":"v"}]`,
			with(func(c *Cookie) { c.Domain = "localhost" })},
		"a session in spite of a date": {
			`[{"domain":"example.com","name":"n","value":"v","session":true,"expires":9}]`, plain},
		"an address is always host-only": {`[{"domain":".127.0.0.1","name":"n","value":"v"}]`,
			with(func(c *Cookie) { c.Domain = "127.0.0.1" })},
		"Selenium": {`[{"domain":"example.com","name":"n","value":"v","expiry":1800000000,"sameSite":"Lax"}]`,
			with(func(c *Cookie) { c.Expires, c.SameSite = 1_800_000_000, Lax })},
		"a partition of an extension": {`[{"domain":"example.com","name":"n","value":"v","secure":true,
			"partitionKey":{"topLevelSite":"https://Top.example/","hasCrossSiteAncestor":true}}]`,
			with(func(c *Cookie) { c.Secure, c.Partition, c.CrossSiteAncestor = true, "https://top.example", true })},
		"a partition of Playwright": {`[{"domain":"example.com","name":"n","value":"v","secure":true,
			"partitionKey":"https://top.example","_crHasCrossSiteAncestor":true}]`,
			with(func(c *Cookie) { c.Secure, c.Partition, c.CrossSiteAncestor = true, "https://top.example", true })},
		"a partition of Puppeteer": {`[{"domain":"example.com","name":"n","value":"v","secure":true,
			"partitionKey":{"sourceOrigin":"https://top.example"}}]`,
			with(func(c *Cookie) { c.Secure, c.Partition = true, "https://top.example" })},
		"null is absent": {`[{"domain":"example.com","name":"n","value":"v","path":null,"sameSite":null,
			"expirationDate":null,"partitionKey":null}]`, plain},
	} {
		t.Run(name, func(t *testing.T) {
			if got := one(t, c.text); got != c.want {
				t.Errorf("read %#v, want %#v", got, c.want)
			}
		})
	}
}

// refused are texts that change nothing, and a word of the reason.
var refused = map[string]struct{ text, says string }{
	"no domain": {`[{"name":"n","value":"hush"}]`, "Cookie 1 has no domain"},
	"the second item": {
		`[{"domain":"a.b","name":"n"},{"domain":"a.b","value":"hush"}]`,
		"Cookie 2 has no name"},
	"no object":             {`[7]`, "Cookie 1 is not an object"},
	"names and values only": {"a=hush; c=d", "without domains"},
	"some text":             {"hush", "no format"},
	"nothing":               {" ", "no cookies"},
	"a number":              {`7`, "no format"},
	"half of an array":      {`[{"domain":"a.b"`, "no format"},
	"an object of another":  {`{"domain":"a.b","name":"n","value":"hush"}`, "no format"},
	"cookies that are none": {`{"cookies":7}`, "no format"},
	"a text in a text":      {`"\"[]\""`, "no format"},
	"microseconds":          {`[{"domain":"a.b","name":"n","value":"hush","expires":1800000000000000}]`, "too far"},
	"a date": {
		`[{"domain":"a.b","name":"n","value":"hush","expires":"2027-01-01"}]`,
		"not a number"},
	"two dates": {
		`[{"domain":"a.b","name":"n","value":"hush","expires":1800000000,"expirationDate":1900000000}]`,
		"two different"},
	"sameSite of another kind": {`[{"domain":"a.b","name":"n","value":"hush","sameSite":"hush"}]`, "sameSite"},
	"none without secure":      {`[{"domain":"a.b","name":"n","value":"hush","sameSite":"none"}]`, "not secure"},
	"a line in a value":        {`[{"domain":"a.b","name":"n","value":"hush\nhush"}]`, "value with a character"},
	"a semicolon in a value":   {`[{"domain":"a.b","name":"n","value":"hush;"}]`, "value with a character"},
	"an equals sign in a name": {`[{"domain":"a.b","name":"n=hush","value":""}]`, "name with a character"},
	"a blank at the end":       {`[{"domain":"a.b","name":"n","value":"hush "}]`, "blank"},
	"a long value": {
		`[{"domain":"a.b","name":"n","value":"` + strings.Repeat("hush", 1100) + `"}]`,
		"4,096"},
	"an address as domain":     {`[{"domain":"https://a.b/hush","name":"n","value":"v"}]`, "not a host name"},
	"a tab in a value":         {"a.b\tFALSE\t/\tFALSE\t0\tn\thush\thush", "value with a character"},
	"a path upwards":           {`[{"domain":"a.b","name":"n","value":"hush","path":"/a/%2E./b"}]`, "path with"},
	"an empty part":            {`[{"domain":"a..b","name":"n","value":"hush"}]`, "empty part"},
	"a path without a slash":   {`[{"domain":"a.b","name":"n","path":"hush","value":"v"}]`, "begin with /"},
	"__Host- on a domain":      {`[{"domain":".a.b","name":"__Host-n","secure":true,"value":"hush"}]`, "__Host-"},
	"__secure- without secure": {`[{"domain":"a.b","name":"__secure-n","value":"hush"}]`, "__Secure-"},
	"an insecure partition": {
		`[{"domain":"a.b","name":"n","value":"hush","partitionKey":"https://c.d"}]`,
		"partition key"},
	"a partition that is none": {
		`[{"domain":"a.b","name":"n","value":"hush","secure":true,"partitionKey":"hush"}]`,
		"partition key"},
	"a flag that is none":     {`[{"domain":"a.b","name":"n","value":"hush","secure":"hush"}]`, "true or false"},
	"an object as value":      {`[{"domain":"a.b","name":"n","value":{"hush":1}}]`, "must be a text"},
	"blanks in place of tabs": {"a.b FALSE / FALSE 0 n hush", "tabs"},
	"six of seven columns":    {"# x\na.b\tFALSE\t/\tFALSE\thush", "Line 2 does not have seven columns"},
	"yes in place of TRUE":    {"a.b\tyes\t/\tFALSE\t0\tn\thush", "neither TRUE nor FALSE"},
	"a bad second line":       {"a.b\tFALSE\t/\tFALSE\t0\tn\tv\na=hush", "Line 2"},
	"an origin that is none": {
		`{"cookies":[],"origins":[{"origin":"hush","localStorage":[{"name":"a","value":"b"}]}]}`,
		"Origin 1"},
}

func TestRefusesWhatItCannotRead(t *testing.T) {
	for name, c := range refused {
		t.Run(name, func(t *testing.T) {
			set, err := Read([]byte(c.text), Options{Now: now})
			if err == nil {
				t.Fatalf("read %d cookies", len(set.Cookies))
			}
			f := fault.From(err)
			if f.Kind != fault.Unprocessable || !strings.Contains(f.Text, c.says) || f.Hint == "" {
				t.Errorf("%s: %q, hint %q", f.Kind, f.Text, f.Hint)
			}
			if strings.Contains(f.Sentence(), "hush") || len(set.Cookies) > 0 {
				t.Errorf("the error shows a value: %s", f.Sentence())
			}
		})
	}
}

func TestExpiredRepeatedAndBadItemsAreCounted(t *testing.T) {
	const text = `[{"domain":"a.b","name":"old","value":"v","expires":1700000000},
		{"domain":"a.b","name":"n","value":"first"},{"domain":"a.b","name":"n","value":"second"},{"name":"bad"}]`
	set, err := Read([]byte(text), Options{Now: now, DropBad: true})
	if err != nil {
		t.Fatal(err)
	}
	if set.Expired != 1 || set.Repeated != 1 || set.Dropped != 1 || len(set.Cookies) != 1 {
		t.Fatalf("%d expired, %d repeated, %d dropped, %d read", set.Expired, set.Repeated, set.Dropped, len(set.Cookies))
	}
	if set.Cookies[0].Value != "second" {
		t.Error("the first of two counts")
	}
}

func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range Formats {
		t.Run(string(f), func(t *testing.T) {
			want := map[Key]Cookie{}
			var list []Cookie
			for range 5000 {
				c := random(r)
				if _, twice := want[c.Key()]; twice {
					continue
				}
				list = append(list, c)
				if kept, ok := carried(f, c); ok {
					want[c.Key()] = kept
				}
			}
			text, err := Write(f, list, nil)
			if err != nil {
				t.Fatal(err)
			}
			set, err := Read(text, Options{Now: now})
			if err != nil {
				t.Fatal(err)
			}
			if len(set.Cookies) != len(want) || set.Expired+set.Repeated+set.Dropped > 0 {
				t.Fatalf("%d of %d came back", len(set.Cookies), len(want))
			}
			for _, got := range set.Cookies {
				if got != want[got.Key()] {
					t.Fatalf("%#v came back as %#v", want[got.Key()], got)
				}
			}
		})
	}
}

// carried is what a format holds of a cookie; false if it holds none of it.
func carried(f Format, c Cookie) (Cookie, bool) {
	switch f {
	case Netscape: // no sameSite, no partition, whole seconds
		c.SameSite, c.Expires = Unset, math.Ceil(c.Expires)
		return c, c.Partition == ""
	case Dolphin: // whole milliseconds
		c.Expires = microseconds(math.Round(c.Expires*1000) / 1000)
	}
	return c, true
}

// random makes a cookie that a browser could hold.
func random(r *rand.Rand) Cookie {
	text := func(letters string, n int) string {
		var s strings.Builder
		runes := []rune(letters)
		for range n {
			s.WriteRune(runes[r.IntN(len(runes))])
		}
		return s.String()
	}
	c := Cookie{
		Domain: text("abc-1", 3) + "x.example", HostOnly: r.IntN(2) == 0, Path: "/" + text(`ab/%,`, r.IntN(6)),
		Name: text("abcXYZ_-.é[", 1+r.IntN(5)), Value: "v" + text("ab\"\\=,%{}[]:é雪 '#/", r.IntN(20)) + "w",
		Secure: r.IntN(2) == 0, HTTPOnly: r.IntN(2) == 0,
		SameSite: []SameSite{Unset, Lax, Strict, None}[r.IntN(4)],
	}
	if r.IntN(3) > 0 {
		c.Expires = microseconds(1_800_000_000 + r.Float64()*1e8)
	}
	if r.IntN(4) == 0 {
		c.Partition, c.CrossSiteAncestor = "https://"+text("ab", 2)+".example", r.IntN(2) == 0
	}
	if c.SameSite == None || c.Partition != "" {
		c.Secure = true
	}
	if r.IntN(10) == 0 {
		c.Domain, c.HostOnly = "10.0.0.1", true
	}
	if r.IntN(20) == 0 {
		c.Name, c.Secure, c.HostOnly, c.Path = "__Host-"+c.Name, true, true, "/"
	}
	return c
}

func TestDiff(t *testing.T) {
	base := Cookie{Domain: "a.b", HostOnly: true, Path: "/", Name: "n", Value: "1", Expires: 1_800_000_000}
	later, other, fresh, elsewhere := base, base, base, base
	later.Expires += 0.5
	other.Path, other.Value = "/x", "2"
	fresh.Name = "new"
	elsewhere.Domain = "c.d"
	there := []Cookie{base, {Domain: "a.b", HostOnly: true, Path: "/x", Name: "n", Value: "1"}}
	got := Diff(there, []Cookie{later, other, fresh, elsewhere})
	want := []Change{{"a.b", 1, 1, 1}, {"c.d", 1, 0, 0}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestStorage(t *testing.T) {
	want := []Origin{{"https://a.example", []Entry{{"k", "v é"}, {"l", ""}}}, {"http://[::1]:8080", []Entry{{"x", "y"}}}}
	own, _ := json.Marshal(DomainData(want))
	state, err := Write(StorageState, nil, want)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(string(own))
	for name, raw := range map[string][]byte{"Cove's own": own, "a storageState": state, "a text": text} {
		got, _, err := ReadStorage(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		back, _ := json.Marshal(got)
		if expected, _ := json.Marshal(want); string(back) != string(expected) {
			t.Errorf("%s: %s, want %s", name, back, expected)
		}
	}
	for name, raw := range map[string]string{
		"raw records":            `[{"domain":"https://a.b","data":{"AAE=":"/wD/"}}]`,
		"raw UTF-16 records":     `[{"domain":"https://a.b","data":{"AGEA":"AGIA"}}]`,
		"raw Latin-1 records":    `[{"domain":"https://a.b","data":{"AWE=":"AWI="}}]`,
		"raw keys":               `[{"domain":"https://a.b","data":{"X2h0dHBzOi8vYS5iAAFr":"AXY="}}]`,
		"another encoding":       `[{"domain":"https://a.b","encoding":"utf-16","data":{"aw==":"dg=="}}]`,
		"no base64":              `[{"domain":"https://a.b","data":{"k":"v"}}]`,
		"a domain as the origin": `[{"domain":"a.b","data":{"aw==":"dg=="}}]`,
		"a path":                 `[{"origin":"https://a.b/c","localStorage":[{"name":"a","value":"b"}]}]`,
		"nothing":                ``,
		"an object":              `{"a":1}`,
	} {
		if got, _, err := ReadStorage([]byte(raw)); fault.KindOf(err) != fault.Unprocessable || got != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	_, ignored, err := ReadOrigins([]byte(`[{"origin":"https://a.b","localStorage":[],"indexedDB":[{"name":"d"}]}]`))
	if err != nil || len(ignored) != 1 {
		t.Errorf("an IndexedDB is not named: %v, %v", ignored, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range refused {
		f.Add(c.text)
	}
	f.Add("#HttpOnly_.a.b\tTRUE\t/\tTRUE\t0\tn\tv")
	f.Add(`[{"domain":"a.b","name":"n","value":"v","secure":true,"partitionKey":"https://c.d","expires":1.8e9}]`)
	f.Fuzz(func(t *testing.T, text string) {
		set, err := Read([]byte(text), Options{Now: now})
		if err != nil {
			if len(set.Cookies) > 0 || fault.KindOf(err) != fault.Unprocessable {
				t.Fatalf("%d cookies and %v", len(set.Cookies), err)
			}
			return
		}
		for _, format := range Formats {
			checkBack(t, format, set.Cookies)
		}
	})
}

// checkBack holds that what was read is written and read back to the same meaning.
func checkBack(t *testing.T, f Format, cookies []Cookie) {
	t.Helper()
	want := map[Key]Cookie{}
	for _, c := range cookies {
		if kept, ok := carried(f, c); ok {
			want[kept.Key()] = kept
		}
	}
	text, err := Write(f, cookies, nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := Read(text, Options{Now: now})
	if err != nil {
		t.Fatalf("%s: %v in %q", f, err, text)
	}
	for _, got := range set.Cookies {
		if !Same(got, want[got.Key()]) {
			t.Fatalf("%s: %#v came back as %#v", f, want[got.Key()], got)
		}
	}
	if len(set.Cookies)+set.Expired != len(want) {
		t.Fatalf("%s: %d of %d came back", f, len(set.Cookies), len(want))
	}
}

func TestAFileWithSpacesForTabsIsTold(t *testing.T) {
	for text, want := range map[string]string{
		".a.example TRUE / FALSE 0 n v=1":                    "tabs",
		"# Netscape HTTP Cookie File\n.a.b TRUE / FALSE 0 n": "tabs",
		"n=v; m=w":    "without domains",
		"hello there": "no format",
		" \n":         "There are no cookies to import.",
	} {
		if _, err := Read([]byte(text), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
