package picture

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

func TestPicturesAreAsWideAsTheyMayBe(t *testing.T) {
	for _, size := range []image.Point{{1280, 720}, {640, 480}, {1281, 119}, {1920, 1080}, {2561, 5}, {5000, 301}} {
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
		if wide != min(width, size.X) || high != max(size.Y*wide/size.X, 1) {
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

func TestTheLastPictureOfEachTabIsRemembered(t *testing.T) {
	var l Last
	if _, ok := l.Of("a"); ok {
		t.Error("a picture of a tab that has none")
	}
	begun := time.Now().Add(-time.Minute)
	for i := range maxTabs + 1 {
		l.Set(string(rune('a'+i)), Moment{Page: "first", At: begun.Add(time.Duration(i))})
	}
	l.Set("b", Moment{Page: "second", At: begun.Add(time.Hour)})
	if _, ok := l.Of("a"); ok {
		t.Error("the oldest picture is kept beyond the bound")
	}
	if b, ok := l.Of("b"); !ok || b.Page != "second" {
		t.Errorf("%+v", b)
	}
	if first := l.Begin("a"); l.Current("a") != first || l.Begin("b") != l.Current("b") || l.Current("a") != first {
		t.Error("steps in one tab count in another")
	}
	if l.Old("b") || !l.Old("c") || !l.Old("z") {
		t.Error("it is not known how old a picture is")
	}
	if first := l.Current("a"); l.Begin("a") == first || l.Current("a") == first {
		t.Error("the next step has the same number")
	}
}

func TestPicturesAreCapturedWhenTheAgentsRest(t *testing.T) {
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
		p.Pause()
		add("first")
		p.Unpause()
		expect(rest - time.Millisecond)
		p.Pause() // one that reads makes it wait again
		expect(rest)
		p.Unpause()
		expect(rest - time.Millisecond)
		expect(time.Millisecond, "first")

		p.Pause()
		add("second")
		p.Unpause()
		p.Pause() // the next step
		add("third")
		expect(patience - time.Millisecond)
		expect(time.Millisecond, "second", "third")

		add("late")
		add("later")
		p.Unpause()
		expect(rest - time.Millisecond)
		expect(time.Millisecond, "late", "later") // one rest is enough for all

		p.Pause()
		add("of the step before")
		p.Due() // the next one begins
		expect(0, "of the step before")
		p.Unpause()

		p.Pause()
		add("fourth")
		add("fifth")
		p.Flush(t.Context())
		expect(0, "fourth", "fifth")
		p.Flush(t.Context())
		p.Unpause()
	})
}

func TestPicturesOfATabAreForgotten(t *testing.T) {
	var l Last
	step := l.Begin("a")
	l.Set("a", Moment{Page: "mine"})
	l.Set("b", Moment{Page: "other"})
	l.Forget("a")
	l.Forget("c")
	if _, ok := l.Of("a"); ok || l.Current("a") == step {
		t.Error("the picture is still there, or the next one counts for a step before")
	}
	if _, ok := l.Of("b"); !ok {
		t.Error("another tab was forgotten, too")
	}
}
