package event

import "testing"

func TestFeed(t *testing.T) {
	t.Run("delivers to every subscriber in order", func(t *testing.T) {
		var f Feed[int]
		a, b := f.Subscribe(4), f.Subscribe(4)
		f.Publish(1)
		f.Publish(2)
		for _, s := range []*Sub[int]{a, b} {
			if x, y := <-s.C(), <-s.C(); x != 1 || y != 2 {
				t.Fatalf("got %d, %d", x, y)
			}
		}
	})
	t.Run("cuts off a reader that falls behind and keeps the others", func(t *testing.T) {
		var f Feed[int]
		slow, good := f.Subscribe(1), f.Subscribe(8)
		for i := range 3 {
			f.Publish(i)
		}
		<-slow.C()
		if _, open := <-slow.C(); open {
			t.Fatal("the slow reader still gets values")
		}
		for i := range 3 {
			if v := <-good.C(); v != i {
				t.Fatalf("got %d, want %d", v, i)
			}
		}
	})
	t.Run("close is idempotent and ends the channel", func(t *testing.T) {
		var f Feed[int]
		s := f.Subscribe(1)
		s.Close()
		s.Close()
		f.Publish(1)
		if _, open := <-s.C(); open {
			t.Fatal("a closed subscription still delivers")
		}
	})
}
