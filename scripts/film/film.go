package main

import (
	"image"
	"image/color"
	"image/gif"
	"slices"
)

// film is a GIF while it is made. Each of its frames has only what differs from the frame before, in its own colours.
type film struct {
	out  gif.GIF
	last *image.RGBA
}

// add adds a picture that is seen for some milliseconds. One that differs in nothing makes the last one longer.
func (f *film) add(picture *image.RGBA, ms int) {
	changed := picture.Bounds()
	if f.last != nil {
		changed = difference(f.last, picture)
	}
	if changed.Empty() {
		f.out.Delay[len(f.out.Delay)-1] += ms / 10
		return
	}

	colours := map[color.RGBA]int{}
	each(changed, func(x, y int) {
		if f.differs(picture, x, y) {
			colours[picture.RGBAAt(x, y)]++
		}
	})
	palette := reduce(colours, 255)
	nearest := map[color.RGBA]uint8{}
	for c := range colours {
		nearest[c] = uint8(palette.Index(c)) //nolint:gosec // a palette has at most 255 colours here
	}
	same := uint8(len(palette)) //nolint:gosec // see above
	frame := image.NewPaletted(changed, append(palette, color.RGBA{}))
	each(changed, func(x, y int) {
		if f.differs(picture, x, y) {
			frame.SetColorIndex(x, y, nearest[picture.RGBAAt(x, y)])
		} else {
			frame.SetColorIndex(x, y, same)
		}
	})

	f.out.Image = append(f.out.Image, frame)
	f.out.Delay = append(f.out.Delay, ms/10)
	f.out.Disposal = append(f.out.Disposal, gif.DisposalNone)
	f.last = picture
}

// differs reports whether a pixel is another one than in the frame before.
func (f *film) differs(picture *image.RGBA, x, y int) bool {
	return f.last == nil || f.last.RGBAAt(x, y) != picture.RGBAAt(x, y)
}

// difference is the smallest rectangle with all that differs.
func difference(a, b *image.RGBA) image.Rectangle {
	var out image.Rectangle
	each(b.Bounds(), func(x, y int) {
		if a.RGBAAt(x, y) != b.RGBAAt(x, y) {
			out = out.Union(image.Rect(x, y, x+1, y+1))
		}
	})
	return out
}

func each(r image.Rectangle, do func(x, y int)) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			do(x, y)
		}
	}
}

// reduce finds at most n colours that stand for all, by median cut: the group with the widest range is divided.
func reduce(colours map[color.RGBA]int, n int) color.Palette {
	all := make([]color.RGBA, 0, len(colours))
	for c := range colours {
		all = append(all, c)
	}
	slices.SortFunc(all, byChannel(0))
	groups := [][]color.RGBA{all}
	for len(groups) < n {
		widest, at, channel := 0, -1, 0
		for i, g := range groups {
			for c := range 3 {
				if r := reach(g, c); r > widest {
					widest, at, channel = r, i, c
				}
			}
		}
		if at < 0 {
			break // every group is one colour
		}
		g := groups[at]
		slices.SortFunc(g, byChannel(channel))
		middle := len(g) / 2
		groups[at] = g[:middle]
		groups = append(groups, g[middle:])
	}

	var out color.Palette
	for _, g := range groups {
		out = append(out, mean(g, colours))
	}
	return out
}

// channelOf returns red, green or blue.
func channelOf(c color.RGBA, channel int) int {
	return int([...]uint8{c.R, c.G, c.B}[channel])
}

// byChannel orders colours by a channel, and those that are equal there by the others.
func byChannel(channel int) func(a, b color.RGBA) int {
	return func(a, b color.RGBA) int {
		for i := range 3 {
			c := (channel + i) % 3
			if d := channelOf(a, c) - channelOf(b, c); d != 0 {
				return d
			}
		}
		return 0
	}
}

// reach is how far the colours of a group are apart in a channel.
func reach(g []color.RGBA, channel int) int {
	low, high := 255, 0
	for _, c := range g {
		v := channelOf(c, channel)
		low, high = min(low, v), max(high, v)
	}
	return high - low
}

// mean is the colour of a group, by how often each was seen.
func mean(g []color.RGBA, seen map[color.RGBA]int) color.RGBA {
	var sum [3]int
	n := 0
	for _, c := range g {
		for i := range sum {
			sum[i] += channelOf(c, i) * seen[c]
		}
		n += seen[c]
	}
	part := func(i int) uint8 { return uint8(sum[i] / n) } //nolint:gosec // a mean of bytes
	return color.RGBA{part(0), part(1), part(2), 255}
}
