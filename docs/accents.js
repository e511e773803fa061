// Lets the search of the book find "misère" by "misere".
//
// The index is a tree with a letter on each edge. A letter with an accent gets a second edge
// without it, which leads to the same words.
(function () {
    'use strict';

    function merge(into, from) {
        for (const key of Object.keys(from)) {
            if (key === 'df') {
                into.df = (into.df || 0) + from.df;
            } else if (typeof from[key] === 'object' && into[key] !== undefined) {
                merge(into[key], from[key]);
            } else {
                into[key] = from[key];
            }
        }
    }

    function fold(node) {
        for (const key of Object.keys(node)) {
            if (key === 'docs' || key === 'df') {
                continue;
            }
            fold(node[key]);
            const bare = key.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
            if (bare !== key && bare.length === 1) {
                node[bare] = node[bare] || { docs: {}, df: 0 };
                merge(node[bare], structuredClone(node[key]));
            }
        }
    }

    const load = elasticlunr.Index.load;
    elasticlunr.Index.load = function (index) {
        for (const field of Object.values(index.index)) {
            fold(field.root);
        }
        return load.call(this, index);
    };
})();
