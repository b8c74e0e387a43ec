package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"testing"
)

// plain is a picture of one colour.
func plain(c color.RGBA) *image.RGBA {
	p := image.NewRGBA(image.Rect(0, 0, 40, 30))
	draw.Draw(p, p.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return p
}

func TestAFilmShowsItsPictures(t *testing.T) {
	blue, red := color.RGBA{B: 200, A: 255}, color.RGBA{R: 200, A: 255}
	first, second := plain(blue), plain(blue)
	second.SetRGBA(7, 9, red)
	var f film
	f.add(first, 1000)
	f.add(plain(blue), 500) // nothing new
	f.add(second, 200)
	var raw bytes.Buffer
	if err := gif.EncodeAll(&raw, &f.out); err != nil {
		t.Fatal(err)
	}
	got, err := gif.DecodeAll(&raw)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Image) != 2 || got.Delay[0] != 150 || got.Delay[1] != 20 {
		t.Fatalf("%d pictures, seen for %v", len(got.Image), got.Delay)
	}
	if at := got.Image[1].Bounds(); at != image.Rect(7, 9, 8, 10) {
		t.Errorf("the second picture has more than what has changed: %v", at)
	}
	screen := image.NewRGBA(first.Bounds())
	for i, want := range []*image.RGBA{first, second} {
		draw.Draw(screen, got.Image[i].Bounds(), got.Image[i], got.Image[i].Bounds().Min, draw.Over)
		if !bytes.Equal(screen.Pix, want.Pix) {
			t.Errorf("picture %d is another one", i)
		}
	}
}

func TestManyColoursBecomeFew(t *testing.T) {
	colours := map[color.RGBA]int{}
	for r := range 16 {
		for g := range 16 {
			for b := range 16 {
				colours[color.RGBA{uint8(r * 17), uint8(g * 17), uint8(b * 17), 255}] = 1
			}
		}
	}
	few := reduce(colours, 255)
	if len(few) != 255 {
		t.Errorf("%d colours", len(few))
	}
	for c := range colours {
		r, g, b, _ := few.Convert(c).RGBA()
		for i, v := range []uint32{r, g, b} {
			if d := int(v>>8) - channelOf(c, i); d < -48 || d > 48 {
				t.Errorf("%v became %d %d %d", c, r>>8, g>>8, b>>8)
			}
		}
	}
}
