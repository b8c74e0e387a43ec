package capture

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	_ "image/jpeg" // screenshots are
	_ "image/png"  // screenshots are

	"cove/internal/fault"
	"cove/internal/page/dom"
)

// Scene is what a screenshot shows: a part of a page, while its window was as it was then.
type Scene struct {
	clip          dom.Rect // in the document, as in Image
	width, height float64  // of the picture, in pixels
	window        window
	commits       int
	beyond        bool // the window
}

// Scene returns what the image shows. A picture may have several pixels for one of the page, so its own size counts.
func (i Image) Scene() Scene {
	s := Scene{clip: i.clip, window: i.window, commits: i.commits, beyond: i.beyond}
	s.width, s.height = pixels(i.Data)
	return s
}

// pixels returns the size of a picture, 0 for one that cannot be read.
func pixels(data []byte) (width, height float64) {
	if bytes.HasPrefix(data, []byte("RIFF")) {
		return webpPixels(data)
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0
	}
	return float64(c.Width), float64(c.Height)
}

// webpPixels reads the size in the first part of a WebP file: of a plain picture, one without loss, or one with further
// parts.
func webpPixels(data []byte) (width, height float64) {
	if len(data) < 30 {
		return 0, 0
	}
	switch string(data[12:16]) {
	case "VP8 ":
		w, h := binary.LittleEndian.Uint16(data[26:]), binary.LittleEndian.Uint16(data[28:])
		return float64(w & 0x3fff), float64(h & 0x3fff)
	case "VP8L":
		bits := binary.LittleEndian.Uint32(data[21:])
		return float64(bits&0x3fff + 1), float64(bits>>14&0x3fff + 1)
	case "VP8X":
		three := func(b []byte) float64 { return float64(int(b[0])|int(b[1])<<8|int(b[2])<<16) + 1 }
		return three(data[24:]), three(data[27:])
	}
	return 0, 0
}

// Point is a point in the window of a tab, in both units.
type Point struct {
	// X and Y are in the units of the mouse.
	X, Y float64
	// PageX and PageY are in the units of the page, from the edge that its scripts measure from.
	PageX, PageY float64
}

// errStale refuses a place of a picture that shows what is no longer there.
func errStale(why string) error {
	return fault.New(fault.CodeStalePicture, "Nothing was clicked: "+why+" since the screenshot.",
		"Take a new screenshot of the page.")
}

// PagePoint returns where a place of the window is for the page's scripts. It is given in the units of the mouse.
func (c *Camera) PagePoint(ctx context.Context, x, y float64) (pageX, pageY float64, err error) {
	m, err := c.metrics(ctx)
	zoom := cmp.Or(m.Viewport.Zoom, 1)
	return x/zoom + m.Viewport.OffsetX, y/zoom + m.Viewport.OffsetY, err
}

// Find returns where a pixel of a picture is in the window now. It refuses a picture of another document, and one that
// was taken before the window was scrolled, zoomed or resized: something else is there now.
func (c *Camera) Find(ctx context.Context, s Scene, x, y float64) (Point, error) {
	if s.beyond {
		return Point{}, fault.New(fault.CodeStalePicture,
			"Nothing was clicked: for the last screenshot, of the whole page or of an element, the browser resized "+
				"the page.",
			"Take one without fullPage and uid.")
	}
	if s.width < 1 || s.height < 1 || x < 0 || y < 0 || x >= s.width || y >= s.height {
		return Point{}, fault.Invalidf("The screenshot has no place %g, %g: it is %.0f × %.0f pixels large.",
			x, y, s.width, s.height)
	}

	m, err := c.metrics(ctx)
	now, then := m.Viewport, s.window
	switch {
	case err != nil:
		return Point{}, err
	case c.frames.Load().Commits != s.commits:
		return Point{}, errStale("another document has come")
	case now.Width != then.Width || now.Height != then.Height || now.Scale != then.Scale || now.Zoom != then.Zoom:
		return Point{}, errStale("the page has got another size")
	case now != then:
		return Point{}, errStale("the page was scrolled")
	}

	clip := s.clip
	if clip.Width == 0 {
		w, err := c.frames.EnterMain(ctx)
		if err == nil {
			err = c.frames.Run(ctx, w, &clip, "function(x,y){return {x,y,width:innerWidth,height:innerHeight}}",
				clip.X, clip.Y)
		}
		if err != nil {
			return Point{}, err
		}
	}
	inX, inY := clip.X+x*clip.Width/s.width-now.X, clip.Y+y*clip.Height/s.height-now.Y
	if inX < 0 || inY < 0 || inX >= now.Width || inY >= now.Height {
		return Point{}, fault.New(fault.CodeHidden,
			fmt.Sprintf("The place %g, %g of the screenshot is outside of the window.", x, y),
			"Scroll there, then take a new screenshot.")
	}
	zoom := cmp.Or(now.Zoom, 1)
	return Point{X: inX * zoom, Y: inY * zoom, PageX: inX + now.OffsetX, PageY: inY + now.OffsetY}, nil
}
