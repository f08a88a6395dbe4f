package html

import (
	"strconv"
	"strings"
)

// style is the state of SGR attributes. Colours are 1 + index into the 16-colour palette, 0 for the default.
type style struct {
	fg, bg uint8
	flags  uint8
}

const (
	bold uint8 = 1 << iota
	dim
	italic
	underline
	reverse
	strike
)

var flagClasses = [...]string{"sb", "sd", "si", "su", "sr", "ss"}

// apply reads the parameters of one SGR sequence. Unknown ones change nothing; an empty one is 0.
func (s *style) apply(params string) {
	codes := strings.Split(params, ";")
	for i := 0; i < len(codes); i++ {
		group := strings.FieldsFunc(codes[i], func(r rune) bool { return r == ':' })
		switch {
		case len(group) > 1:
			s.set(number(group[0]), group[1:])
		case codes[i] == "38" || codes[i] == "48":
			i += s.set(number(codes[i]), codes[i+1:])
		default:
			s.set(number(codes[i]), nil)
		}
	}
}

// number reads one parameter: empty and unreadable ones are 0 and -1.
func number(code string) int {
	if code == "" {
		return 0
	}
	n, err := strconv.Atoi(code)
	if err != nil {
		return -1
	}
	return n
}

// set applies attribute n. args are the parameters behind it; it returns how many of them belong to it.
func (s *style) set(n int, args []string) int {
	switch n {
	case 38, 48:
		color, used := extendedColor(args)
		if n == 38 {
			s.fg = color
		} else {
			s.bg = color
		}
		return used
	}
	s.setSimple(n)
	return 0
}

func (s *style) setSimple(n int) {
	switch {
	case n == 0:
		*s = style{}
	case n == 1:
		s.flags |= bold
	case n == 2:
		s.flags |= dim
	case n == 3:
		s.flags |= italic
	case n == 4 || n == 21:
		s.flags |= underline
	case n == 7:
		s.flags |= reverse
	case n == 9:
		s.flags |= strike
	case n == 22:
		s.flags &^= bold | dim
	case n == 23:
		s.flags &^= italic
	case n == 24:
		s.flags &^= underline
	case n == 27:
		s.flags &^= reverse
	case n == 29:
		s.flags &^= strike
	case n >= 30 && n <= 37:
		s.fg = uint8(n-30) + 1
	case n == 39:
		s.fg = 0
	case n >= 40 && n <= 47:
		s.bg = uint8(n-40) + 1
	case n == 49:
		s.bg = 0
	case n >= 90 && n <= 97:
		s.fg = uint8(n-90) + 9
	case n >= 100 && n <= 107:
		s.bg = uint8(n-100) + 9
	}
}

func (s style) appendClasses(dst []byte) []byte {
	from := len(dst)
	add := func(class string, n int) {
		if len(dst) > from {
			dst = append(dst, ' ')
		}
		dst = append(dst, class...)
		if n >= 0 {
			dst = strconv.AppendInt(dst, int64(n), 10)
		}
	}
	if s.fg > 0 {
		add("f", int(s.fg)-1)
	}
	if s.bg > 0 {
		add("g", int(s.bg)-1)
	}
	for i, class := range flagClasses {
		if s.flags&(1<<i) != 0 {
			add(class, -1)
		}
	}
	return dst
}

// extendedColor reads what follows 38 or 48: a palette index or a colour of 24 bits, brought to the nearest of the 16
// colours, because the page's policy allows no inline style. used is the number of parameters read.
func extendedColor(codes []string) (color uint8, used int) {
	if len(codes) == 0 {
		return 0, 0
	}
	rgb := codes[1:]
	switch {
	case codes[0] == "5" && len(rgb) >= 1:
		return paletteColor(component(rgb[0])) + 1, 2
	case codes[0] == "2" && len(rgb) >= 3:
		return nearest(component(rgb[0]), component(rgb[1]), component(rgb[2])) + 1, 4
	}
	return 0, len(codes)
}

func component(code string) int {
	return min(max(number(code), 0), 255)
}

// paletteColor maps an index of the 256-colour palette: 16 basic colours, a 6×6×6 cube, 24 greys.
func paletteColor(n int) uint8 {
	switch {
	case n < 16:
		return uint8(n)
	case n < 232:
		level := func(v int) int {
			if v == 0 {
				return 0
			}
			return 55 + 40*v
		}
		n -= 16
		return nearest(level(n/36), level(n/6%6), level(n%6))
	}
	grey := 8 + 10*(n-232)
	return nearest(grey, grey, grey)
}

var basicColors = [16][3]int{
	{0, 0, 0},
	{205, 0, 0},
	{0, 205, 0},
	{205, 205, 0},
	{0, 0, 238},
	{205, 0, 205},
	{0, 205, 205},
	{229, 229, 229},
	{127, 127, 127},
	{255, 0, 0},
	{0, 255, 0},
	{255, 255, 0},
	{92, 92, 255},
	{255, 0, 255},
	{0, 255, 255},
	{255, 255, 255},
}

func nearest(r, g, b int) uint8 {
	best, bestDistance := 0, 1<<30
	for i, c := range basicColors {
		dr, dg, db := r-c[0], g-c[1], b-c[2]
		if d := dr*dr + dg*dg + db*db; d < bestDistance {
			best, bestDistance = i, d
		}
	}
	return uint8(best)
}
