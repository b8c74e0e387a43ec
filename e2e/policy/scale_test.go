//go:build e2e

package policy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"cove/api"
	"cove/e2e/harness"
)

// scalePage has a button and a select in the middle of each row, and reports what is clicked. Its viewport says how a
// phone shows it.
const scalePage = `<!doctype html><title>scale</title><meta name=viewport content="%s"><style>
body{margin:0;height:3000px}button,select{position:absolute;margin:0;left:25vw;width:50vw;height:40px}</style>
<button style="top:100px">B</button><select style="top:200px"><option>one<option>two</select>
<script>onclick = e => fetch(location, {method: 'POST', body: e.target.tagName + ' ' + e.clientY})</script>`

// A person presses what they see, however many pixels of the page or of the screen the picture shows. A picture for the
// journal that the next page has interrupted changes nothing.
func TestAPersonPressesWhatTheySee(t *testing.T) {
	type press struct{ page, at string }
	pressed := make(chan press, 100)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			at, _ := io.ReadAll(r.Body)
			pressed <- press{r.URL.Path, string(at)}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, scalePage, r.URL.Query().Get("viewport"))
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")

	const phone = "400x600x2,mobile,touch"
	for i, one := range []struct {
		name, emulate, viewport string
		height                  float64 // of what the window shows, in pixels of the page
	}{
		{"one pixel for one", "800x600x1", "", 600},
		{"two for one", "800x600x2", "", 600},
		{"one for one again", "800x600x1", "", 600},
		{"two for one again", "800x600x2", "", 600},
		{"one for two", "800x600x0.5", "", 600},
		{"a phone", phone, "width=device-width", 600},
		{"a phone that shows more of the page", phone, "width=800", 1200},
		{"a phone that shows less of the page", phone, "width=400,initial-scale=1.5,minimum-scale=1.5", 400},
	} {
		t.Run(one.name, func(t *testing.T) {
			path := fmt.Sprintf("/%d", i)
			m.Works("emulate", harness.Object{"viewport": one.emulate})
			m.Works("navigate_page", harness.Object{"url": web.URL + path + "?viewport=" + url.QueryEscape(one.viewport)})
			v, end := a.Watch(1, "")
			defer end()
			if r := v.Control(true, ""); r.Status != http.StatusOK {
				t.Fatalf("control: %d %s", r.Status, r.Raw)
			}
			defer v.Control(false, "")
			send := func(y float64) (got api.LiveInputResult) {
				at := api.LiveEvent{T: "move", X: 0.5, Y: y / one.height, N: 1}
				down, up := at, at
				down.T, up.T = "down", "up"
				harness.Wait(t, "a picture of this page", func() bool {
					got = v.Send(at, down, up)
					return !got.Stale
				})
				return got
			}

			send(120)
			var got press
			harness.Wait(t, "the press", func() bool {
				select {
				case got = <-pressed:
				default:
				}
				return got.page == path
			})
			if got.at != "BUTTON 120" {
				t.Errorf("it came to %s", got.at)
			}
			if list := send(220); len(list.Options) != 2 {
				t.Errorf("the list is %+v", list.Options)
			}
		})
	}
}
