package mcpserver

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
)

func TestPicturesForTheJournalAreSmall(t *testing.T) {
	for _, size := range []image.Point{{1280, 720}, {1281, 119}, {963, 5}, {1500, 301}} {
		large := image.NewRGBA(image.Rectangle{Max: size})
		for i := range large.Pix {
			if large.Pix[i] = 255; i%4 < 3 && i/4%size.X < size.X/2 {
				large.Pix[i] = 40 // the left half is dark
			}
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, large, nil); err != nil {
			t.Fatal(err)
		}
		small, err := jpeg.Decode(bytes.NewReader(shrink(b.Bytes())))
		if err != nil {
			t.Fatal(err)
		}
		wide, high := small.Bounds().Dx(), small.Bounds().Dy()
		if wide > photoWidth || wide < photoWidth/2 || high < size.Y*wide/size.X-1 {
			t.Errorf("%v became %v", size, small.Bounds())
		}
		light := func(x, y int) uint8 { return color.GrayModel.Convert(small.At(x, y)).(color.Gray).Y }
		for _, y := range []int{0, high - 1} {
			if l, r := light(wide/4, y), light(3*wide/4, y); l > 60 || r < 235 {
				t.Errorf("%v: the left half is %d, the right %d", size, l, r)
			}
		}
	}
	if shrink([]byte("no picture")) != nil {
		t.Error("a picture of nothing")
	}
}

func TestPicturesAreTakenWhenTheAgentsRest(t *testing.T) {
	p := newPhotos()
	taken := make(chan string, 10)
	add := func(name string) { p.add(func() { taken <- name }) }
	none := func(when string) {
		t.Helper()
		select {
		case name := <-taken:
			t.Errorf("%s was taken %s", name, when)
		default:
		}
	}
	p.began(true)
	add("first")
	p.ended()
	p.began(false) // it reads
	none("while a call reads")
	p.began(true)
	if name := <-taken; name != "first" {
		t.Errorf("the next step brought %s", name)
	}
	add("second")
	p.ended()
	p.ended()
	if name := <-taken; name != "second" {
		t.Errorf("rest brought %s", name)
	}
	p.began(false)
	add("third")
	none("though nobody waits for it")
	p.flush(context.Background())
	if len(taken) != 1 {
		t.Error("flush left something")
	}
	p.flush(context.Background())
}
