package importer

import (
	"slices"
	"strings"
	"testing"
)

func TestMissingPagesAreNamed(t *testing.T) {
	const one = `{"id":1,"name":"A","proxyId":71}`
	const px = `{"id":71,"type":"http","host":"h.example","port":1}`
	page := func(items string, total string) string {
		return `{"data":[` + items + `],"current_page":1,"last_page":6,"per_page":50,"total":` + total + `}`
	}
	const ads = `{"user_id":"k1","name":"A","user_proxy_config":{"proxy_soft":"no_proxy"}}`
	const ads2 = `{"user_id":"k2","name":"B","user_proxy_config":{"proxy_soft":"no_proxy"}}`
	list := func(items, size string) string {
		return `{"code":0,"data":{"list":[` + items + `],"page":1,"page_size":` + size + `}}`
	}
	for name, c := range map[string]struct {
		product Product
		files   []string
		want    []string
	}{
		"a page of profiles":           {Dolphin, []string{"l", page(one, "3"), "p", page(px, "1")}, []string{"The list has 3 profiles, and the files have 1."}},
		"a page of proxies":            {Dolphin, []string{"l", page(one, "1"), "p", page(px, "300")}, []string{"The list has 300 proxies, and the files have 1."}},
		"a page of folders":            {Dolphin, []string{"l", page(one, "1"), "p", page(px, "1"), "folders", page(`{"id":1,"name":"F"}`, "300")}, nil},
		"a full page of AdsPower's":    {AdsPower, []string{"l", list(ads, "1")}, []string{"There may be more profiles than the 1 in the files."}},
		"two pages, the last is full":  {AdsPower, []string{"l", list(ads, "1"), "m", list(ads2, "1")}, []string{"There may be more profiles than the 2 in the files."}},
		"two pages, the last is short": {AdsPower, []string{"l", list(ads, "1"), "m", list(ads2, "1"), "n", list("", "1")}, nil},
		"a short page of AdsPower's":   {AdsPower, []string{"l", list(ads, "50")}, nil},
		"a full page of proxies":       {AdsPower, []string{"l", list(ads, "50"), "p", list(`{"proxy_id":"1","type":"http","host":"h.example","port":"1"}`, "1")}, []string{"There may be more proxies than the 1 in the files."}},
	} {
		t.Run(name, func(t *testing.T) {
			p := works(t, c.product, c.files...)
			if len(p.Warnings) != len(c.want) {
				t.Fatalf("got %q", p.Warnings)
			}
			for i, want := range c.want {
				if p.Warnings[i] != want+" Save the other pages, too." {
					t.Errorf("got %q", p.Warnings)
				}
			}
		})
	}
}

func TestTagsOfAdsPowersAreTakenAlong(t *testing.T) {
	p := works(t, AdsPower, "l", `[{"user_id":"k1","name":"A","profile_tags":["ta",{"id":"3","name":"tb"}],"tags":["ta"],
		"user_proxy_config":{"proxy_soft":"no_proxy"}},
		{"user_id":"k2","name":"B","profile_tags":[{"id":"3"}],"profile_tag_ids":["4"],"user_proxy_config":{"proxy_soft":"no_proxy"}}]`)
	if got := p.Profiles[0].Tags; !slices.Equal(got, []string{"ta", "tb"}) {
		t.Errorf("got %q", got)
	}
	if len(p.Left) != 1 || !slices.Equal(p.Left[0].Fields, []string{"profile_tag_ids", "profile_tags"}) {
		t.Errorf("left %+v", p.Left)
	}
}

func TestAFileMayHaveNoCookies(t *testing.T) {
	const list = `[{"id":601,"name":"A","proxy":null}]`
	for _, text := range []string{`{"success":true,"cookies":[]}`, `{"code":0,"msg":"Success","data":{"cookies":""}}`,
		`{"code":0,"data":{"cookies":"[]"}}`, `{"cookies":null}`, `{"cookies":[],"origins":[]}`, `[]`, "# Netscape HTTP Cookie File\n"} {
		if p := works(t, Dolphin, "l.json", list, "601.json", text); p.Profiles[0].Cookies.Count != 0 {
			t.Errorf("%s: got %+v", text, p.Profiles[0].Cookies)
		}
	}
}

func TestAnIDWinsOverAName(t *testing.T) {
	const list = `[{"id":12,"name":"A","proxy":null},{"id":13,"name":"12","proxy":null}]`
	p := works(t, Dolphin, "l.json", list, "12.json", `[{"name":"c","value":"v","domain":"a.example"}]`)
	if p.Profiles[0].Cookies.Count != 1 || p.Profiles[1].Cookies.Count != 0 {
		t.Errorf("got %+v", p.Profiles)
	}
}

func TestAStartPageWithoutAnAddressIsLeftOut(t *testing.T) {
	p := works(t, Dolphin, "l.json", `[{"id":12,"name":"A","proxy":null,"tabs":[{"title":"x"},"",{"url":"https://a.example"}]}]`)
	if !slices.Equal(p.Profiles[0].StartPages, []string{"https://a.example"}) || len(p.Left) != 1 ||
		!slices.Equal(p.Left[0].Fields, []string{"tabs"}) || p.Left[0].Times != 1 {
		t.Errorf("got %+v, left %+v", p.Profiles[0], p.Left)
	}
}

func TestAListWithoutItsProductIsRefusedOnce(t *testing.T) {
	for text, want := range map[string]string{
		`[{"id":1,"name":"A"},{"id":2,"name":"B"}]`:                           "Use: cove import dolphin dp.json",
		`{"code":0,"data":{"list":[{"user_id":"k"},{"serial_number":"7"}]}}`:  "Use: cove import adspower dp.json",
		`[{"name":"A","user_proxy_config":{}}]`:                               "Use: cove import adspower dp.json",
		`{"data":[{"id":1,"name":"A"}]} {"data":[{"id":2,"name":"B","x":1}]}`: "Use: cove import dolphin dp.json",
	} {
		p := read(CSV, "dp.json", text)
		if len(p.Problems) != 1 || p.Problems[0].Hint != want ||
			!strings.Contains(p.Problems[0].String(), "only with the product") {
			t.Errorf("%s: got %+v", text, p.Problems)
		}
	}
	p := works(t, CSV, "l.csv", "name\nA\n", "A.json", `[{"name":"c","value":"v","domain":"a.example"}]`)
	if p.Profiles[0].Cookies.Count != 1 {
		t.Errorf("got %+v", p.Profiles)
	}
}

func TestTheHintForExtensionsNamesTheCommand(t *testing.T) {
	p := works(t, Dolphin, "l.json", `[{"id":1,"name":"A","proxy":null,"extensions":[{"id":5}]}]`)
	if len(p.Left) != 1 || !strings.Contains(p.Left[0].Hint, "cove extension add FILE PROFILE") {
		t.Errorf("left %+v", p.Left)
	}
}
