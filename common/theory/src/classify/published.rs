//! How many misère quotients of each order were published?

/// Orders with the numbers of misère quotients that Siegel printed for them (*The structure and classification of misère
/// quotients*, Table 1). They are claims to be examined: from order 14 on there are more.
pub const TABLE_1: [(usize, usize); 9] = [
    (2, 1),
    (4, 0),
    (6, 1),
    (8, 1),
    (10, 1),
    (12, 6),
    (14, 9),
    (16, 50),
    (18, 211),
];
