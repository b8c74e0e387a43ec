//go:build e2e

package tools

import (
	"encoding/base64"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// targetsPage has buttons at known places that put their names into the title.
const targetsPage = `<title>targets</title><meta name=viewport content="width=800"><style>
body{margin:0;height:3000px;width:800px}button,iframe{position:absolute;margin:0;padding:0;border:0}</style>
<button style="left:100px;top:50px;width:20px;height:20px" onclick="document.title='near'">N</button>
<button style="left:700px;top:400px;width:20px;height:20px" onclick="document.title='far'">F</button>
<button style="left:100px;top:2500px;width:20px;height:20px" onclick="document.title='deep'">D</button>
<button style="left:300px;top:50px;width:20px;height:20px" ondblclick="document.title='twice'">T</button>`

// titleOf reads the title of the page.
func titleOf(g *harness.Driver) string {
	g.T.Helper()
	return g.Works("evaluate_script", harness.Object{"function": "() => document.title"})
}

func at(x, y float64) harness.Object { return harness.Object{"x": x, "y": y} }

// widthOf returns the width of an image in an answer.
func widthOf(t *testing.T, a harness.ToolAnswer) float64 {
	t.Helper()
	if len(a.Images) != 1 {
		t.Fatalf("no image: %s", a.Text)
	}
	c, _, err := image.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(a.Images[0])))
	if err != nil {
		t.Fatal(err)
	}
	return float64(c.Width)
}

func TestAPlaceOfTheScreenshotIsClicked(t *testing.T) {
	base := pages(t, map[string]string{"/": targetsPage})
	outer := pages(t, map[string]string{"/": `<title>outer</title><body style="margin:0"><iframe
		style="position:absolute;left:200px;top:100px;border:3px solid" width=300 height=200 src="` +
		strings.Replace(base, "127.0.0.1", "localhost", 1) + `"></iframe>`})
	g := newDeveloper(t, harness.Start(t))
	g.Works("resize_page", harness.Object{"width": 1000, "height": 700})
	g.Works("navigate_page", harness.Object{"url": base})

	for _, one := range []struct {
		name, want string
		shot       harness.Object
		emulate    string
		script     string
		shows      float64 // how many pixels of the page are in a row of the image, where the test has to look
		x, y       float64
		more       harness.Object
	}{
		{name: "one pixel for one", want: "near", x: 110, y: 60},
		{name: "far from the edge, beside a scrollbar", want: "far", x: 710, y: 410},
		{name: "a WebP image", want: "near", shot: harness.Object{"format": "webp"}, x: 110, y: 60},
		{name: "a JPEG image", want: "far", shot: harness.Object{"format": "jpeg"}, x: 710, y: 410},
		{name: "twice", want: "twice", x: 310, y: 60, more: harness.Object{"dblClick": true}},
		{name: "a page larger than the image", emulate: "3136x2000x1", want: "far", x: 355, y: 205},
		{name: "two pixels of the screen for one, in a file", emulate: "900x600x2", want: "far",
			shot: harness.Object{"filePath": "shot.png"}, x: 1420, y: 820},
		{name: "a phone that shows the page scaled", emulate: "400x600x2,mobile,touch", want: "far", shows: 800, x: 710, y: 410},
		{name: "a scrolled page", script: "() => scrollTo(0, 2300)", want: "deep", x: 110, y: 210},
	} {
		t.Run(one.name, func(t *testing.T) {
			g.Works("emulate", harness.Object{"viewport": one.emulate})
			g.Works("navigate_page", harness.Object{"url": base})
			if one.script != "" {
				g.Works("evaluate_script", harness.Object{"function": one.script})
			}
			shot := one.shot
			if shot == nil {
				shot = harness.Object{}
			}
			answer := g.Tool("take_screenshot", shot)
			scale := 1.0
			if one.shows > 0 {
				scale = widthOf(t, answer) / one.shows
			}
			args := at(one.x*scale, one.y*scale)
			for k, v := range one.more {
				args[k] = v
			}
			t.Log(g.Works("click_at", args))
			says(t, titleOf(g), one.want)
		})
	}

	g.Works("emulate", harness.Object{"viewport": ""})
	t.Run("a frame of another site", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": outer})
		g.Works("wait_for", harness.Object{"text": []string{"N"}})
		g.Works("take_screenshot", nil)
		says(t, g.Works("click_at", at(200+3+110, 100+3+60)), `button "N"`)
		says(t, g.Works("evaluate_script", harness.Object{
			"function": "el => el.ownerDocument.title", "args": []string{g.Find(`button "N"`)}}), "near")
	})
}

func TestAStaleScreenshotIsNotClicked(t *testing.T) {
	base := pages(t, map[string]string{"/": targetsPage, "/two": targetsPage})
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("resize_page", harness.Object{"width": 1000, "height": 700})
	g.Works("navigate_page", harness.Object{"url": base})
	g.Fails("no screenshot", "click_at", at(110, 60))
	for name, one := range map[string]struct {
		tool string
		args harness.Object
		says string
	}{
		"another document": {"navigate_page", harness.Object{"url": base + "/two"}, "another document"},
		"loaded again":     {"navigate_page", harness.Object{"type": "reload"}, "another document"},
		"another size":     {"resize_page", harness.Object{"width": 900, "height": 600}, "another size"},
		"scrolled":         {"evaluate_script", harness.Object{"function": "() => scrollTo(0, 10)"}, "scrolled"},
	} {
		t.Run(name, func(t *testing.T) {
			g.Works("resize_page", harness.Object{"width": 1000, "height": 700})
			g.Works("navigate_page", harness.Object{"url": base})
			g.Works("take_screenshot", nil)
			g.Works(one.tool, one.args)
			g.Fails(one.says, "click_at", at(110, 60))
			says(t, titleOf(g), "targets")
			g.Works("take_screenshot", nil)
			g.Works("click_at", at(300, 300))
		})
	}

	g.Works("navigate_page", harness.Object{"url": base})
	g.Works("take_screenshot", harness.Object{"fullPage": true})
	g.Fails("of the whole page or of an element", "click_at", at(110, 60))
	g.Works("take_screenshot", harness.Object{"uid": g.Find(`button "N"`)})
	g.Fails("of the whole page or of an element", "click_at", at(5, 5))
	g.Works("navigate_page", harness.Object{"type": "reload"})
	g.Works("take_screenshot", nil)
	for _, p := range [][2]float64{{-1, 5}, {5, -1}, {1e6, 5}, {5, 1e6}} {
		g.Fails("has no place", "click_at", at(p[0], p[1]))
	}
	other := newDeveloper(t, a)
	other.Works("select_page", harness.Object{"pageId": 1, "take": true})
	other.Fails("no screenshot", "click_at", harness.Object{"x": 110, "y": 60})
	says(t, titleOf(other), "targets")
}

func TestAPlaceIsWeighedByWhatIsThere(t *testing.T) {
	sent := 0
	mux := routes(map[string]string{
		"/": `<title>login</title><body style="margin:0"><form action="/sent"><input type=password name=p value=x
			style="position:absolute;left:0;top:0;width:100px;height:20px"><button
			style="position:absolute;left:200px;top:100px;width:100px;height:40px"><b>Sign in</b></button></form>`,
		"/frame": `<title>frame</title><body style="margin:0"><iframe src="/" width=500 height=300 style="border:0;position:absolute;left:100px;top:100px"></iframe>`,
		"/plain": targetsPage,
	})
	mux.HandleFunc("/sent", func(_ http.ResponseWriter, _ *http.Request) { sent++ })
	base := host(t, mux)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	a.Must("policy", "set", "1", "--right", "submit=no")

	for path, off := range map[string]float64{"/": 0, "/frame": 100} {
		g.Works("navigate_page", harness.Object{"url": base + path})
		g.Works("take_screenshot", nil)
		g.Fails("policy does not allow", "click_at", at(off+250, off+120))
		g.Works("click_at", at(off+50, off+10)) // into the field
	}
	g.Works("navigate_page", harness.Object{"url": base + "/plain"})
	g.Works("take_screenshot", nil)
	g.Works("click_at", at(110, 60))
	a.Must("policy", "set", "1", "--preset", "read-only")
	g.Works("take_screenshot", nil)
	g.Fails("policy does not allow", "click_at", at(110, 60))
	if sent > 0 {
		t.Errorf("the form was sent %d times", sent)
	}
	said := a.Must("journal", "show", "1")
	says(t, said, `Clicked the button "N" on the screenshot`, `Denied: click the button "Sign in" on the screenshot`)
}
