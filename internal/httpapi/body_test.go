package httpapi

import (
	"net/http/httptest"
	"strings"
	"testing"

	"cove/internal/httpapi/call"
	"cove/internal/httpapi/cookies"
)

const (
	formType  = "application/x-www-form-urlencoded"
	partsType = "multipart/form-data; boundary=B"
)

// A body is known by how it begins, not by what its type says.
func TestBodiesInEveryEncoding(t *testing.T) {
	o := newOffice(t)
	part := func(name, value string) string {
		return "--B\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	for _, c := range []struct{ kind, body, want string }{
		{"application/json", `{"name":"x","tags":["a","b"]}`, `"tags":["a","b"]`},
		{"", `{"name":"x","tags":["a","b"]}`, `"tags":["a","b"]`},
		{formType, `{"name":"x","tags":["a","b"]}`, `"tags":["a","b"]`},
		{formType, "\n\t{\"name\":\"x\",\"tags\":[\"a\",\"b\"]}", `"tags":["a","b"]`},
		{"text/plain", "\ufeff{\"name\":\"x\",\"tags\":[\"a\",\"b\"]}", `"tags":["a","b"]`},
		{"multipart/form-data", `{"name":"x","tags":["a","b"]}`, `"tags":["a","b"]`},
		{formType, "name=x&tags=a&tags=b", `"tags":["a","b"]`},
		{formType, "\nname=x&tags[]=a&tags[]=b", `"tags":["a","b"]`},
		{formType + "; boundary=B", "name=x&tags=a&tags=b", `"tags":["a","b"]`},
		{formType + "; charset=UTF-8", "name=x&tags[0]=a&tags[1]=b", `"tags":["a","b"]`},
		{partsType, part("name", "x") + part("tags[]", "a") + part("tags[]", "b") + "--B--", `"tags":["a","b"]`},
		{"application/json", part("name", "x") + part("tags[]", "a") + part("tags[]", "b") + "--B--", `"tags":["a","b"]`},
		{"", "\r\n" + part("name", "x") + part("tags", "a") + part("tags", "b") + "--B--\r\n", `"tags":["a","b"]`},
		{formType, part("name", "x") + part("tags[0]", "a") + part("tags[1]", "b") + "--B--", `"tags":["a","b"]`},
		{"multipart/form-data", part("name", "x") + part("tags", "a,b") + "--B--", `"tags":["a`},
		{formType, "name=x&window[width]=800&window[height]=600", `"window":{"width":800,"height":600}`},
		{formType, "name=x&proxy[type]=http&proxy[host]=h.example&proxy[port]=8080", `"port":8080`},
		{"", `{"name":"x","proxy[type]":"http","proxy[host]":"h.example","proxy[port]":8080}`, `"port":8080`},
		{"", `{"name":"x","args":["--mute-audio","--window-size=1,2"],"tags":[5]}`, `"tags":["5"]`},
	} {
		path := "/browser_profiles?Content-Type=application/json&x=1"
		if status, _, answer := o.send(o.token, "POST", path, c.body, "Content-Type", c.kind); status != 200 ||
			!strings.Contains(answer, c.want) || !strings.Contains(answer, `"name":"x"`) {
			t.Errorf("%s %q: %d %s", c.kind, c.body, status, answer)
		}
	}
	for _, c := range []struct{ kind, body string }{
		{formType, `[{"name":"x"}]`}, {"", `name=x`}, {"application/json", "name=x"}, {formType, `{"name":"x"`},
		{formType, "name=x&name[a]=b"}, {"", "{\"name\":\"\xff\"}"}, {formType, "name=%ff"}, {partsType, "name=x"},
		{"application/json", "--B\r\nname=x\r\n--B--"}, {"application/json", part("name", "x")}, {"", "--"},
		{"application/json", strings.Replace(part("name", "x"), "B", strings.Repeat("B", 71), 1)},
	} {
		o.want(400, "E_INVALID", o.token, "POST", "/browser_profiles", c.body, "Content-Type", c.kind)
	}
	form := []string{"Content-Type", formType}
	o.want(200, "", o.token, "POST", "/browser_profiles/mass", "count=2&template[name]=y", form...)
	o.want(200, "", o.token, "DELETE", "/browser_profiles", `{"ids":["2",3]}`)
	o.want(200, "", o.token, "DELETE", "/browser_profiles", "ids[]=4&ids[]=5", form...)
	o.want(200, "", o.token, "DELETE", "/browser_profiles", "ids=6", form...)
	o.want(400, "E_INVALID", o.token, "DELETE", "/browser_profiles", `{"ids":["x"]}`)
}

func TestTheErrorForALargeBodyNamesTheCallsOwnLimit(t *testing.T) {
	o := newOffice(t)
	read := func(c *call.Call) (any, error) {
		raw, err := c.JSON()
		return len(raw), err
	}
	o.routes = append(o.routes, route{method: post, path: "/small", segments: []string{"small"}, handle: read},
		route{method: post, path: "/large", segments: []string{"large"}, handle: read, limit: cookies.MaxBody})
	for _, c := range []struct {
		path   string
		size   int
		status int
		want   string
	}{
		{"/small", maxBody, 200, "1048576"}, {"/small", maxBody + 1, 413, "larger than 1 MiB."},
		{"/large", cookies.MaxBody, 200, "16777216"}, {"/large", cookies.MaxBody + 1, 413, "larger than 16 MiB."},
		{"/nowhere", maxBody + 1, 413, "larger than 1 MiB."},
	} {
		body := `"` + strings.Repeat("x", c.size-2) + `"`
		for _, chunked := range []bool{false, true} {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "http://127.0.0.1:3001"+c.path,
				strings.NewReader(body))
			if chunked {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			o.ServeHTTP(w, r)
			if chunked && c.path == "/nowhere" {
				continue // nobody reads it
			}
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
				t.Errorf("%s of %d bytes, chunked %v: %d %s", c.path, c.size, chunked, w.Code, w.Body)
			}
		}
	}
}

func TestThePrefixOfAPath(t *testing.T) {
	o := newOffice(t)
	for path, want := range map[string]string{"/v1.0/where": `"/v1.0"`, "/where": `""`, "/api/v2/where": `"/api/v2"`,
		"/api/v2/where/": `"/api/v2"`, "/api/v20/where": "E_NO_ROUTE", "/v1.0x/where": "E_NO_ROUTE",
		"/api/v2/v1.0/where": "E_NO_ROUTE", "/api/v2/api/v2/where": "E_NO_ROUTE", "/api/where": "E_NO_ROUTE"} {
		o.routes = []route{{method: get, path: "/where", segments: []string{"where"},
			handle: func(c *call.Call) (any, error) { return c.Prefix, nil }}}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "http://127.0.0.1:3001"+path, nil)
		w := httptest.NewRecorder()
		o.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
}
