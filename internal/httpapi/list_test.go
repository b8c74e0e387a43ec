package httpapi

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"

	"cove/api"
	"cove/internal/extension"
	"cove/internal/httpapi/extensions"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// threeExtensions is a library with three extensions.
type threeExtensions struct{ extensions.Library }

func (threeExtensions) List(context.Context) ([]extension.Extension, []int, error) {
	return []extension.Extension{{ID: 1}, {ID: 2}, {ID: 3}}, []int{10, 20, 30}, nil
}

// Every list has the same pages: its links keep what else the caller has asked for, and its bounds are the same.
func TestEveryListHasTheSamePages(t *testing.T) {
	o := newOffice(t)
	o.rebuild(func(c *Config) { c.Extensions = threeExtensions{} })
	made := []profile.Profile{{Name: "two"}, {Name: "three"}}
	if _, err := o.config.Batches.(profile.Store).Create(t.Context(), made...); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		_, folder := o.config.Folders.Create(t.Context(), profile.Folder{Name: name})
		_, status := o.config.Statuses.Create(t.Context(), profile.Status{Name: name, Color: "red"})
		_, stored := o.config.Proxies.Create(t.Context(), proxy.Record{
			Proxy: proxy.Proxy{Type: "http", Host: name + ".example", Port: 1}, Saved: true})
		if folder != nil || status != nil || stored != nil {
			t.Fatal(folder, status, stored)
		}
	}

	const more = "&Content-Type=application%2Fjson&x=1"
	for path, total := range map[string]int{"/browser_profiles": 3, "/browser_profiles/statuses": 3, "/proxy": 3,
		"/folders": 3, "/extensions": 3, "/homepages": 0, "/bookmarks": 0} {
		for _, prefix := range []string{"", "/v1.0", "/api/v2"} {
			w := o.ask("GET", prefix+path+"?limit=1&page=2"+more, "", "Authorization", "Bearer "+o.token)
			var got struct {
				Data []struct{ ID int }
				api.PageInfo
			}
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
				t.Fatalf("%s: %d %s", prefix+path, w.Code, w.Body)
			}
			links := map[string]*string{"1": &got.FirstPageURL, "3": &got.LastPageURL}
			if total == 0 {
				links = map[string]*string{"1": &got.LastPageURL}
			} else if got.From == nil || *got.From != 2 || *got.To != 2 || len(got.Data) != 1 || got.Data[0].ID != 2 ||
				got.NextPageURL == nil || *got.NextPageURL != *links["3"] {
				t.Errorf("%s: %s", prefix+path, w.Body)
			}
			if got.PrevPageURL == nil || *got.PrevPageURL != *links["1"] || got.Total != total || got.PerPage != 1 {
				t.Errorf("%s: %s", prefix+path, w.Body)
			}
			for page, link := range links {
				u, err := url.Parse(*link)
				want := "Content-Type=application%2Fjson&limit=1&page=" + page + "&x=1"
				if err != nil || u.Path != prefix+path || u.RawQuery != want {
					t.Errorf("%s: page %s is at %s", prefix+path, page, *link)
				}
			}
		}
		o.want(200, "", o.token, "GET", path+"?limit=10000&page=1073741824", "")
		for _, bad := range []string{"limit=0", "limit=10001", "limit=x", "page=0", "page=-1", "page=1073741825", "%zz"} {
			o.want(400, "E_INVALID", o.token, "GET", path+"?"+bad, "")
		}
	}
}
