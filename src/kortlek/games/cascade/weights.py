"""The weights of the features of a position in the house's evaluation of Cascade, in points: learned from games against itself."""

FEATURES = 18
# Each row: the constant, the coefficient of the empty share of the triangle, and that of its square.
# fmt: off
WEIGHTS = [
    # when the turn is over
    4.923, -9.433, -41.279,  # always
    -0.122, 2.272, 1.467,  # cards held
    0.297, 0.839, -0.461,  # held cards that gain an action
    0.034, -1.826, 0.624,  # the others' hands
    -1.118, -1.636, 1.162,  # expected gains of the others
    0.997, 16.053, -25.315,  # share of gainful cards in the own pack
    -0.009, 0.084, -0.158,  # cards held, squared
    0.009, -0.043, 0.047,  # the others' hands, squared
    -0.369, 1.396, -1.442,  # open slots
    0.000, 0.000, 0.000,  # actions left
    0.015, 0.176, -0.388,  # held cards that fit nowhere
    0.157, 3.796, 1.141,  # an empty hand
    -0.149, -0.701, 0.911,  # held cards of a value held already
    -0.074, 0.377, -0.328,  # neighbouring values held
    -0.161, 1.364, -0.353,  # held cards that gain two actions
    -0.019, 0.032, -0.074,  # cards that fit
    -0.194, 0.510, 0.695,  # height of the own pack
    -0.046, -0.882, 2.495,  # cards held times share of gainful cards
    # with actions left
    2.834, -15.623, -45.267,  # always
    -0.049, 2.783, 1.373,  # cards held
    0.558, 1.660, -1.189,  # held cards that gain an action
    0.118, -3.085, 1.693,  # the others' hands
    -0.303, 0.155, -1.500,  # expected gains of the others
    1.511, 10.250, -5.931,  # share of gainful cards in the own pack
    -0.008, 0.035, -0.095,  # cards held, squared
    0.003, 0.040, -0.050,  # the others' hands, squared
    0.048, -0.962, 0.896,  # open slots
    0.972, 8.956, -7.356,  # actions left
    0.038, -0.155, -0.029,  # held cards that fit nowhere
    -1.566, 0.204, 0.332,  # an empty hand
    -0.260, -0.197, 0.599,  # held cards of a value held already
    -0.104, 0.402, -0.324,  # neighbouring values held
    0.528, 6.961, -6.724,  # held cards that gain two actions
    0.009, 0.040, -0.093,  # cards that fit
    -0.187, 0.342, 0.939,  # height of the own pack
    -0.145, -0.216, 0.994,  # cards held times share of gainful cards
]
# fmt: on
