//go:build e2e

package tools

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/internal/webm"

	"cove/e2e/harness"
)

// colours are what the filmed page shows, each for a second and a half.
var colours = []string{"red", "lime", "blue", "yellow"}

const each = 1500 * time.Millisecond

// film records a page that changes its colour; the times are given, not measured, so that the test knows what is when.
func film(t *testing.T, b *harness.Tab, f *webm.Writer) {
	t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": 400, "height": 300, "deviceScaleFactor": 1,
		"mobile": false}, nil)
	for i, colour := range colours {
		b.Eval(fmt.Sprintf(`document.body.style.background = %q; %s`, colour, paints), nil)
		for part := range 3 {
			if err := f.AddWebP(time.Duration(i)*each+time.Duration(part)*each/3, picture(b, 80)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// picture takes a screenshot as WebP.
func picture(b *harness.Tab, quality int) []byte {
	b.T.Helper()
	var shot struct{ Data string }
	b.Call("Page.captureScreenshot", map[string]any{"format": "webp", "quality": quality}, &shot)
	raw, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.T.Fatal(err)
	}
	return raw
}

func TestFilm(t *testing.T) {
	a := harness.Start(t)
	b := harness.NewTab(t, a.Open(1))
	b.Visit("data:text/html,<title>film</title><body>")

	path := filepath.Join(t.TempDir(), "film.webm")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	f := webm.NewWriter(file)
	film(t, b, f)
	unfinished, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddWebP(time.Minute, picture(b, 100)); !errors.Is(err, webm.ErrLossless) {
		t.Errorf("a picture of quality 100: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	var live bytes.Buffer
	film(t, b, webm.NewWriter(&live))

	films := map[string]func() []byte{
		"/whole":      func() []byte { raw, _ := os.ReadFile(path); return raw },
		"/unfinished": func() []byte { return unfinished },
		"/cut":        func() []byte { return unfinished[:len(unfinished)*2/3] },
		"/live":       live.Bytes,
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if raw, ok := films[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "video/webm")
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(raw()))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(cinema))
	}))
	t.Cleanup(web.Close)
	b.Visit(web.URL)

	t.Run("a finished film has a duration and can be wound", func(t *testing.T) {
		b.T = t
		var got struct {
			Width, Height int
			Duration      float64
			Seen          []string
		}
		want := []string{"red", "lime", "blue", "yellow", "lime"}
		b.Eval(`wind('/whole', [0.2, 1.7, 3.2, 4.7, 1.7], ['`+strings.Join(want, "','")+`'])`, &got)
		if got.Width != 400 || got.Height != 300 || got.Duration < 5.5 || got.Duration > 5.7 ||
			strings.Join(got.Seen, " ") != strings.Join(want, " ") {
			t.Errorf("%+v", got)
		}
	})
	for path, want := range map[string][]string{"/whole": colours, "/unfinished": colours, "/live": colours,
		"/cut": colours[:2]} {
		t.Run("plays "+path[1:], func(t *testing.T) {
			b.T = t
			var seen []string
			b.Eval(fmt.Sprintf("play(%q)", path), &seen)
			if len(seen) < len(want) || strings.Join(seen[:len(want)], " ") != strings.Join(want, " ") {
				t.Errorf("shows %v, want %v", seen, want)
			}
		})
	}
}

// cinema shows films and says which colours it sees.
const cinema = `<!doctype html><title>cinema</title><video id=v muted playsinline></video><script>
const canvas = document.createElement('canvas'), g = canvas.getContext('2d', {willReadFrequently: true});
const near = {red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255], yellow: [255, 255, 0]};
function colour() {
  canvas.width = v.videoWidth; canvas.height = v.videoHeight;
  g.drawImage(v, 0, 0);
  const p = g.getImageData(v.videoWidth >> 1, v.videoHeight >> 1, 1, 1).data;
  for (const [name, c] of Object.entries(near)) if (c.every((x, i) => Math.abs(x - p[i]) < 60)) return name;
  return [...p].join();
}
const event = (name) => new Promise((ok, no) => { v.addEventListener(name, ok, {once: true}); v.addEventListener('error', () => no(new Error(v.error.message)), {once: true}); });
async function wind(src, times, wanted) {
  v.src = src;
  await event('loadeddata');
  const seen = [];
  for (const [n, t] of times.entries()) {
    v.currentTime = t;
    await event('seeked');
    for (let i = 0; i < 500 && colour() !== wanted[n]; i++) await new Promise((ok) => setTimeout(ok, 10)); // until then the picture before it is shown
    seen.push(colour());
  }
  return {width: v.videoWidth, height: v.videoHeight, duration: v.duration, seen};
}
async function play(src) {
  v.src = src;
  await event('loadeddata');
  const seen = [];
  // A file that is cut may end with an error; what was shown until then counts.
  const over = Promise.race([event('ended').catch(() => 0), new Promise(r => setTimeout(r, 20000))]);
  const eye = setInterval(() => { const c = colour(); if (c !== seen.at(-1) && c !== '0,0,0,0') seen.push(c); }, 50);
  v.playbackRate = 2;
  await v.play();
  await over;
  clearInterval(eye);
  return seen;
}
</script>`
