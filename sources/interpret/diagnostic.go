package interpret

import "agy-reader/sources/profile"

// diagnostics shows one line for each diagnostic of a repeated field.
func (b *builder) diagnostics(label string, v profile.View, f profile.Field) {
	list := b.a.scratch.texts[:0]
	v.Each(f, func(d profile.View) bool {
		line := b.a.number(int64(d.Sub(diagnosticRange).Sub(rangeStart).Uint(positionRow)) + 1)
		list = append(list, b.a.join(d.Str(diagnosticURI), ":", line, ": ", d.Str(diagnosticSeverity), " ",
			d.Str(diagnosticMessage), " ", d.Str(diagnosticSource), " ", d.Str(diagnosticID)))
		return true
	})
	b.a.scratch.texts = list
	b.code(label, "", b.a.lines(list))
}

func (b *builder) compiled(label string, v profile.View, f profile.Field) {
	list := b.a.scratch.texts[:0]
	v.Each(f, func(d profile.View) bool {
		list = append(list, b.a.join(d.Str(compiledPath), ":", b.a.number(d.Int(compiledLine)), ": ",
			d.Str(compiledMessage), " ", d.Str(compiledSymbol)))
		return true
	})
	b.a.scratch.texts = list
	b.code(label, "", b.a.lines(list))
}
