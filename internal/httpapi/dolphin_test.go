package httpapi

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/dolphin"
)

// shownBy is a computer whose browser shows itself so.
type shownBy struct {
	settings
	fingerprint api.Fingerprint
	err         error
}

func (s shownBy) Fingerprint(context.Context) (api.Fingerprint, error) { return s.fingerprint, s.err }

func TestFingerprints(t *testing.T) {
	o := newOffice(t)
	o.rebuild(func(c *Config) {
		c.Machine = shownBy{fingerprint: api.Fingerprint{UserAgent: "UA", Fonts: "[]",
			WebGL:         api.FingerprintWebGL{UnmaskedVendor: "V", UnmaskedRenderer: "R", Vendor: "WebKit"},
			WebGL2Maximum: map[string]any{"MAX_SAMPLES": 8}}}
	})
	const asked = "?platform=windows&browser_type=anty&browser_version=latest&type=fingerprint&screen=1x1"
	for path, want := range map[string]string{
		"/fingerprints/useragent" + asked: `{"data":"UA"}`,
		"/fingerprints/webgl" + asked: `{"webgl_unmasked_vendor":"V","webgl_unmasked_renderer":"R","vendor":"V",` +
			`"renderer":"R","webgl2Maximum":{"MAX_SAMPLES":8}}`,
		"/fingerprints/webglList" + asked:                        `{"V":["R"]}`,
		"/fingerprints/webglList" + asked + "&withMaximum=true":  `{"V":{"R":{"webgl2Maximum":{"MAX_SAMPLES":8}}}}`,
		"/fingerprints/webglList" + asked + "&withMaximum=False": `{"V":["R"]}`,
		"/fingerprints/font-list?platform=windows":               `[]`,
	} {
		for _, prefix := range []string{"", "/v1.0", "/api/v2"} {
			w := o.ask("GET", prefix+path, "", "Authorization", "Bearer of-dolphin")
			if w.Code != 200 || strings.TrimSpace(w.Body.String()) != want {
				t.Errorf("%s%s: %d %s", prefix, path, w.Code, w.Body)
			}
		}
	}
	w := o.ask("GET", "/fingerprints/fingerprint"+asked, "")
	var all map[string]json.RawMessage
	if err := json.Unmarshal(w.Body.Bytes(), &all); err != nil || w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for _, name := range strings.Fields("userAgent platform platformVersion uaFullVersion appCodeName appVersion " +
		"product productSub vendor vendorSub language languages donottrack deviceMemory hardwareConcurrency screen " +
		"connection cpu os browser webgl webgl2Maximum fonts voices webgpu browserType") {
		if _, there := all[name]; !there {
			t.Errorf("%s is missing", name)
		}
	}
	if _, there := all["data"]; there {
		t.Error("the values are wrapped")
	}

	o.rebuild(func(c *Config) {
		c.Machine = shownBy{err: fault.New(fault.CodeNoBrowser, "No browser.", "Install one.")}
	})
	for _, name := range []string{"fingerprint", "useragent", "webgl", "webglList"} {
		if w := o.ask("GET", "/fingerprints/"+name, ""); w.Code != 503 {
			t.Errorf("%s without a browser: %d %s", name, w.Code, w.Body)
		}
	}
	o.want(200, "", ownersToken, "POST", "/auth/logout", "")
	for _, name := range []string{"fingerprint", "useragent", "webgl", "webglList", "font-list"} {
		if w := o.ask("GET", "/fingerprints/"+name, ""); w.Code != 401 {
			t.Errorf("%s while nobody is logged in: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestWhatCoveDoesNotOfferIsSaid(t *testing.T) {
	o, unchanged := proxied(t)
	for _, absent := range dolphin.NotOffered() {
		paths := []string{strings.ReplaceAll(absent.Path, "{id}", "1")}
		if bare, ok := strings.CutSuffix(absent.Path, "{rest}"); ok {
			paths = []string{bare + "users", bare + "users/7", bare + "a/b/c"}
		}
		for _, path := range paths {
			for _, prefix := range []string{"", "/v1.0", "/api/v2"} {
				w := o.ask(absent.Method, prefix+path, `{"ids":[1],"url":"https://a.example"}`, "Authorization", o.token)
				var e api.Error
				_ = json.Unmarshal(w.Body.Bytes(), &e)
				if w.Code != 501 || e.ErrorObject.Code != "E_NOT_OFFERED" || e.ErrorObject.Hint == "" || e.Error == "" {
					t.Errorf("%s %s%s: %d %s", absent.Method, prefix, path, w.Code, w.Body)
				}
			}
		}
	}
	if !unchanged() {
		t.Error("what is not offered changed something")
	}
	o.want(400, "E_INVALID", o.token, "PATCH", "/browser_profiles/x/access", "")
	o.want(404, "E_NO_ROUTE", o.token, "GET", "/team", "")
	// Cove's own calls of these names stay.
	o.want(401, "E_UNAUTHORIZED", "", "GET", "/browser_profiles/1/access", "")
}

func TestListsOfWhatCoveKeepsNoneOf(t *testing.T) {
	o := newOffice(t)
	for _, path := range []string{"/homepages", "/v1.0/bookmarks", "/api/v2/homepages"} {
		w := o.ask("GET", path+"?limit=&page=2&query=x", "", "Authorization", o.token)
		base := `"http://127.0.0.1:3001` + path
		first := base + `?limit=\u0026page=1\u0026query=x"`
		want := `{"data":[],"current_page":2,"from":null,"to":null,"per_page":50,"last_page":1,"total":0,"path":` + base +
			`","first_page_url":` + first + `,"last_page_url":` + first + `,"next_page_url":null,"prev_page_url":` +
			first + `}`
		if w.Code != 200 || strings.TrimSpace(w.Body.String()) != want {
			t.Errorf("%s: %d %s\nwant %s", path, w.Code, w.Body, want)
		}
	}
}
