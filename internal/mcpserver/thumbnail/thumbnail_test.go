package thumbnail

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestThumbnailsAreSmall(t *testing.T) {
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
		if wide > width || wide < width/2 || high < size.Y*wide/size.X-1 {
			t.Errorf("%v became %v", size, small.Bounds())
		}
		light := func(x, y int) uint8 { return color.GrayModel.Convert(small.At(x, y)).(color.Gray).Y }
		for _, y := range []int{0, high - 1} {
			if l, r := light(wide/4, y), light(3*wide/4, y); l > 60 || r < 235 {
				t.Errorf("%v: the left half is %d, the right %d", size, l, r)
			}
		}
	}
	if shrink([]byte("no image")) != nil {
		t.Error("an image of nothing")
	}
}

func TestThumbnailsAreCapturedWhenTheAgentsRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewQueue()
		all := make(chan string, 10)
		expect := func(after time.Duration, want ...string) {
			t.Helper()
			<-time.After(after)
			synctest.Wait()
			var captured []string
			for len(all) > 0 {
				captured = append(captured, <-all)
			}
			if !slices.Equal(captured, want) {
				t.Errorf("%q were captured, not %q", captured, want)
			}
		}
		add := func(name string) { p.Add(func() { all <- name }) }
		p.Pause(true)
		add("first")
		p.Unpause()
		expect(rest - time.Millisecond)
		p.Pause(false) // one that reads makes it wait again
		expect(rest)
		p.Unpause()
		expect(rest - time.Millisecond)
		expect(time.Millisecond, "first")

		p.Pause(true)
		add("second")
		p.Unpause()
		p.Pause(true) // the next step
		expect(0, "second")
		add("third")
		expect(patience - time.Millisecond)
		expect(time.Millisecond, "third")

		add("fourth")
		add("fifth")
		p.Flush(t.Context())
		expect(0, "fourth", "fifth")
		p.Flush(t.Context())
		p.Unpause()
	})
}
